import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createExtractiveSummarizer } from '../../server/summaries/engines/extractive/summarizer.ts'
import { needs } from '../portal/support/browsers.ts'
import { newConversation, newPortalOf, type Portal, untilStatus } from '../support/conversations.ts'
import { scriptedTranscriber, wavOf } from '../support/engines.ts'
import { until } from '../support/webhooks.ts'
import { dashboardService, type Person, signIn } from './support/dashboard.ts'

const engines = { transcriber: scriptedTranscriber(), summarizer: createExtractiveSummarizer() }
const dashboard = dashboardService({ engines })
const options = needs('chromium')

interface Host extends Portal {
  host: Person
  cid: string
  rid: string
}

/** A host with a conversation and a report on it. */
async function newHost(): Promise<Host> {
  const { backend, admin } = dashboard
  const host = await dashboard.newPerson('Mara')
  const portal = await newPortalOf(backend, host)
  const { workspaceId: workspace, projectId: project } = portal
  await admin.send('PUT', `/api/v2/admin/workspaces/${workspace}/tier`, { tier: 'changemaker', reason: 'x' })
  const { id: cid, token, send } = await newConversation(portal, { participant_name: 'Amina' })
  await send('PUT', '/chunks/0', wavOf('We want more trees in the park.\nThe lamps are broken.', 9))
  await send('POST', '/finish')
  await untilStatus(portal, cid, token, 'done')
  const rid = (await host.post(`/api/v2/projects/${project}/reports`, { title: 'Trees' })).body.id
  await until(
    () => host.get(`/api/v2/reports/${rid}`),
    ({ body }) => body.status === 'ready',
  )
  return { ...portal, host, cid, rid }
}

const reportPath = ({ projectId, rid }: Host): string => `/projects/${projectId}/reports/${rid}`

test(
  'a session that ends asks again, keeps what was typed, and shows nothing of it to someone else',
  options,
  async () => {
    const own = await newHost()
    const page = await dashboard.open(own.host, `${reportPath(own)}?edit=true`)
    await page.getByLabel('Introduction').fill('Typed before the session ended.')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Save as a new version' }).click()
    await page.getByText('Please sign in again').waitFor()
    await signIn(page, own.host)
    assert.equal(await page.getByLabel('Introduction').inputValue(), 'Typed before the session ended.')
    await page.getByRole('button', { name: 'Save as a new version' }).click()
    await page.getByRole('article').getByText('Typed before the session ended.').waitFor()

    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Introduction').fill('A draft of Mara')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Save as a new version' }).click()
    await signIn(page, await dashboard.newPerson('Nour'))
    await page.getByRole('button', { name: 'Nour' }).waitFor()
    const kept = await page.evaluate('JSON.stringify({ ...sessionStorage })')
    assert.doesNotMatch(String(kept), /A draft of Mara|Trees/)
  },
)

/** The buttons that change something, by the page of a project that has them. */
const OFFERS = [
  [({ workspaceId }: Host) => `/workspaces/${workspaceId}`, ['New project']],
  [({ projectId }: Host) => `/projects/${projectId}/reports`, ['New report']],
  [reportPath, ['Edit', 'Publish', 'Delete the report']],
  [({ projectId, cid }: Host) => `/projects/${projectId}/conversations/${cid}`, ['Correct']],
  [({ projectId }: Host) => `/projects/${projectId}/webhooks`, ['New webhook']],
] as const
type Offer = (typeof OFFERS)[number][1][number]
const ALL_OFFERS: Offer[] = OFFERS.flatMap(([, names]) => names)

const MENU = ['Home', 'Overview', 'Live room', 'Conversations', 'Reports']
const MEMBER: Offer[] = ['New project', 'New report', 'Edit', 'Publish', 'Correct']
/** docs/roles-and-tiers.md, as a person sees it. */
const ROLES: [role: string, menu: string[], offers: Offer[]][] = [
  ['owner', [...MENU, 'Webhooks', 'Settings'], ALL_OFFERS],
  ['member', [...MENU, 'Settings'], MEMBER],
  ['external', [...MENU, 'Settings'], ['New report', 'Edit', 'Correct']],
  ['observer', MENU, []],
]

const menuOf = async (page: Page): Promise<string[]> =>
  (await page.getByRole('navigation').getByRole('link').allTextContents()).filter(Boolean)

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(`${dashboard.backend.url}${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
}

test('each role is offered what it is allowed to do, and nothing else', options, async () => {
  const own = await newHost()
  const seen: typeof ROLES = []
  for (const [role] of ROLES) {
    const person = role === 'owner' ? own.host : await dashboard.newPerson('Olu')
    if (role !== 'owner')
      await own.host.post(`/api/v2/workspaces/${own.workspaceId}/members`, { user_id: person.userId, role })
    const page = await dashboard.open(person, reportPath(own))
    await page.getByRole('article').getByText('trees').first().waitFor()
    const offered: Offer[] = []
    let links: string[] = []
    for (const [pathOf, names] of OFFERS) {
      await visit(page, pathOf(own))
      if (pathOf === reportPath) links = await menuOf(page)
      for (const name of names)
        if ((await page.getByRole('button', { name, exact: true }).count()) > 0) offered.push(name)
    }
    seen.push([role, links, offered])
    await page.context().close()
  }
  assert.deepEqual(seen, ROLES)
})

/** Pages that say something else. */
const TITLES: Record<string, string> = { '/': 'Home', '/staff/jobs': 'Staff' }

test('someone who pays the bill sees the usage, and no word of what people said', options, async () => {
  const own = await newHost()
  const person = await dashboard.newPerson('Bea')
  await own.host.post(`/api/v2/workspaces/${own.workspaceId}/members`, {
    user_id: person.userId,
    role: 'billing',
  })
  const page = await dashboard.open(person, `/workspaces/${own.workspaceId}`)
  await page.getByRole('heading', { level: 1, name: 'Park' }).waitFor()
  await page.getByText('Stored').first().waitFor()
  const { projectId, cid } = own
  for (const path of [
    '/',
    `/projects/${projectId}`,
    `/projects/${projectId}/conversations`,
    `/projects/${projectId}/conversations/${cid}`,
    reportPath(own),
    `${reportPath(own)}?edit=true`,
    ...['live', 'settings', 'poster', 'webhooks', 'webhooks/events'].map(
      (part) => `/projects/${projectId}/${part}`,
    ),
    '/staff/jobs',
  ]) {
    await page.goto(`${dashboard.backend.url}${path}`)
    // Some pages have their own title until the server has refused what they show.
    const name = TITLES[path] ?? 'Your role does not include this page'
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await page.waitForLoadState('networkidle')
    await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' })
    const text = String(await page.locator('body').textContent())
    assert.doesNotMatch(text, /trees|lamps|Amina/i, path)
    assert.deepEqual(await page.getByRole('alert').allTextContents(), [], path)
    assert.deepEqual(await menuOf(page), ['Home'], path)
    for (const name of ALL_OFFERS)
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, `${path} ${name}`)
  }
})
