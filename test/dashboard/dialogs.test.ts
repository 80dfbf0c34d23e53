import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createExtractiveSummarizer } from '../../server/summaries/engines/extractive/summarizer.ts'
import { needs } from '../portal/support/browsers.ts'
import { newConversation, newPortalOf, type Portal, untilStatus } from '../support/conversations.ts'
import { scriptedTranscriber, wavOf } from '../support/engines.ts'
import { until } from '../support/webhooks.ts'
import { axeViolations, dashboardService, type Person } from './support/dashboard.ts'

const engines = { transcriber: scriptedTranscriber(), summarizer: createExtractiveSummarizer() }
const dashboard = dashboardService({ engines })
const options = needs('chromium')

interface Host extends Portal {
  host: Person
  ids: string[]
}

/** A host with two conversations. */
async function newHost(): Promise<Host> {
  const host = await dashboard.newPerson('Mara')
  const portal = await newPortalOf(dashboard.backend, host)
  const ids: string[] = []
  for (const [participant_name, speech] of [
    ['Amina', 'We want more trees in the park.'],
    ['Bram', 'The lamps are broken.'],
  ] as const) {
    const { id, token, send } = await newConversation(portal, { participant_name })
    await send('PUT', '/chunks/0', wavOf(speech, 9))
    await send('POST', '/finish')
    await untilStatus(portal, id, token, 'done')
    ids.push(id)
  }
  return { ...portal, host, ids }
}

type Step = (page: Page) => Promise<void>
const press =
  (name: string): Step =>
  (page) =>
    page.getByRole('button', { name, exact: true }).first().click()
const fromMenu =
  (menu: string, name: string): Step =>
  async (page) => {
    await page.getByRole('button', { name: menu }).first().click()
    await page.getByRole('menuitem', { name }).click()
    await page.getByRole('menu', { includeHidden: true }).waitFor({ state: 'detached' })
  }

type Dialog = [path: string, ...steps: Step[]]

/** Opens each dialog, and closes it by its button. */
async function findViolations(page: Page, dialogs: Dialog[] = []): Promise<string[]> {
  const wrong: string[] = []
  for (const [path, ...steps] of dialogs) {
    await page.goto(`${dashboard.backend.url}${path}`)
    for (const step of steps) await step(page)
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    wrong.push(...(await axeViolations(page)).map((found) => `${path} ${found}`))
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  return wrong
}

test('every dialog passes the accessibility rules, and its close button has a name', options, async () => {
  const { host, projectId, workspaceId, ids } = await newHost()
  const { admin } = dashboard
  await admin.send('PUT', `/api/v2/admin/workspaces/${workspaceId}/tier`, {
    tier: 'changemaker',
    reason: 'x',
  })
  const webhook = await host.post(`/api/projects/${projectId}/webhooks`, {
    url: 'http://127.0.0.1:9/hook',
    events: ['report.generated'],
    secret: 'a secret of the receiver',
  })
  const report = await host.post(`/api/v2/projects/${projectId}/reports`, { title: 'Trees' })
  await until(
    () => host.get(`/api/v2/reports/${report.body.id}`),
    ({ body }) => body.status === 'ready',
  )
  const base = `/projects/${projectId}`
  const hook = `${base}/webhooks/${webhook.body.id}`
  const selectAll: Step = async (page) => page.getByLabel('Select all that are loaded').check()
  const organisationId = (await host.get(`/api/v2/workspaces/${workspaceId}`)).body.organisation_id
  const conversation = `${base}/conversations/${ids[0]}`
  const [ofHosts, ofStaff]: Dialog[][] = [
    [
      [`${base}/conversations`, selectAll, press('Add a tag')],
      [`${base}/conversations`, selectAll, press('Delete')],
      [conversation, press('Edit details')],
      [conversation, fromMenu('More actions', 'Delete')],
      [`${base}/reports/${report.body.id}`, press('Delete the report')],
      [`${base}/settings`, press('Delete')],
      [hook, press('Send a test')],
      ...['Replay events', 'Disable', 'Delete'].map((name): Dialog => [hook, fromMenu('More actions', name)]),
      [`${hook}?tab=settings`, press('Stop signing')],
      [`/workspaces/${workspaceId}/members`, fromMenu('Actions for Mara', 'Leave')],
      [`/workspaces/${workspaceId}/settings`, press('Delete')],
      [`/organisations/${organisationId}/settings`, press('Delete')],
    ],
    [
      ['/staff/workspaces', fromMenu('Actions for', 'Change the tier')],
      ['/staff/workspaces', fromMenu('Actions for', 'Move to another organisation')],
      ['/staff/webhooks', fromMenu('Actions for', 'Disable')],
    ],
  ]
  const page = await dashboard.open(host)
  const wrong = [
    ...(await findViolations(page, ofHosts)),
    ...(await findViolations(await dashboard.open(admin), ofStaff)),
  ]
  for (const keys of ['Control+k', '?']) {
    await page.goto(`${dashboard.backend.url}${base}/conversations`)
    await page.getByLabel('Select all that are loaded').waitFor()
    await page.keyboard.press(keys)
    await page.getByRole('dialog').waitFor()
    wrong.push(...(await axeViolations(page)).map((found) => `${keys} ${found}`))
  }
  assert.deepEqual(wrong, [])
  await page.evaluate("localStorage.setItem('parley-language', 'de')")
  await page.goto(`${dashboard.backend.url}${base}/conversations/${ids[0]}`)
  await press('Angaben bearbeiten')(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Schließen' }).waitFor()
})

test(
  'the transcripts of all selected conversations are downloaded, and transcribed again',
  options,
  async () => {
    const { host, projectId, ids } = await newHost()
    const page = await dashboard.open(host, `/projects/${projectId}/conversations`)
    const all = page.getByLabel('Select all that are loaded')
    await all.check()
    await page.getByText('2 selected').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download transcripts' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'transcripts.md')
    const text = await readFile(await download.path(), 'utf8')
    for (const words of ['more trees in the park', 'lamps are broken']) assert.ok(text.includes(words), text)
    await page.getByText('2 transcripts downloaded.').waitFor()

    await all.check()
    await page.getByRole('button', { name: 'Transcribe again' }).click()
    await page.getByText('2 conversations are being transcribed again.').waitFor()
    for (const id of ids)
      await until(
        () => host.get(`/api/v2/conversations/${id}`),
        ({ body }) => body.status === 'done' && body.revision > 1,
      )
  },
)
