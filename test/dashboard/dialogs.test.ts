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
    await press(menu)(page)
    await page.getByRole('menuitem', { name }).click()
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
  const dialogs: [path: string, ...steps: Step[]][] = [
    [`${base}/conversations`, selectAll, press('Add a tag')],
    [`${base}/conversations/${ids[0]}`, press('Edit details')],
    [`${base}/reports/${report.body.id}`, press('Delete the report')],
    [`${base}/settings`, press('Delete')],
    [`${hook}`, fromMenu('More actions', 'Disable')],
    [`${hook}?tab=settings`, press('Stop signing')],
    [`/workspaces/${workspaceId}/members`, fromMenu('Actions for Mara', 'Leave')],
  ]
  const page = await dashboard.open(host)
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
