import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createExtractiveSummarizer } from '../../server/summaries/engines/extractive/summarizer.ts'
import { needs } from '../portal/support/browsers.ts'
import { newConversation, newPortalOf, untilStatus } from '../support/conversations.ts'
import { scriptedTranscriber, wavOf } from '../support/engines.ts'
import { until } from '../support/webhooks.ts'
import { dashboardService } from './support/dashboard.ts'

const engines = { transcriber: scriptedTranscriber(), summarizer: createExtractiveSummarizer() }
const dashboard = dashboardService({ engines })
const options = needs('chromium')

/** As far as small parts move when a name or a number arrives; a page that moves has more than 0.1. */
const MAX_SHIFT = 0.03

const WATCH_SHIFTS = `
  window.shifts = []
  new PerformanceObserver((list) => window.shifts.push(...list.getEntries())).observe({ type: 'layout-shift', buffered: true })`
const SHIFTS = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(
  window.shifts.map(({ value, sources }) => [value, sources.map(({ node }) => node?.textContent.slice(0, 60)).join(' | ')])
))))`

interface Opened {
  path: string
  /** The response that arrives last: after all others have arrived and were drawn. */
  late: RegExp
  /** A text that this response brings. */
  text: string
}

/** How far the parts of a page move while it loads. */
async function shiftsOf(page: Page, { path, late, text }: Opened): Promise<[number, string][]> {
  const running = new Set<unknown>()
  let held = 0
  // The page before must not send one of these requests, which would be held while the browser leaves it.
  await page.goto('about:blank')
  const isApi = (url: string) => /\/(api\/v2|users)\//.test(url) && !/stream/.test(url)
  page.on('request', (request) => isApi(request.url()) && !late.test(request.url()) && running.add(request))
  page.on('requestfinished', (request) => running.delete(request))
  page.on('requestfailed', (request) => running.delete(request))
  await page.route(late, async (route) => {
    held++
    // The parts that the other responses drew can send requests, too.
    for (let quiet = 0; quiet < 3; quiet = running.size === 0 ? quiet + 1 : 0) await page.evaluate(SHIFTS)
    await route.continue()
  })
  await page.goto(`${dashboard.backend.url}${path}`)
  await page.getByText(text).first().waitFor()
  assert.ok(held > 0, `${path} asks for ${late}`)
  await page.unrouteAll({ behavior: 'wait' })
  return page.evaluate(SHIFTS)
}

test('no part of a page moves when another one arrives later', options, async () => {
  const host = await dashboard.newPerson('Mara')
  const portal = await newPortalOf(dashboard.backend, host)
  const { projectId, workspaceId, organisationId, owner } = portal
  const failed = await newConversation(portal)
  await failed.send('PUT', '/chunks/0', wavOf('!unreadable', 5))
  await failed.send('POST', '/finish')
  await untilStatus(portal, failed.id, failed.token, 'failed')
  const { id, token, send } = await newConversation(portal)
  await send('POST', '/text', {
    content: 'We want more trees and benches in the park behind the station. The lamps are broken.',
  })
  await send('POST', '/finish')
  await untilStatus(portal, id, token, 'done')
  await owner.send('PATCH', `/api/v2/conversations/${id}`, {
    title: 'Trees, benches and lamps for the park behind the station',
  })
  const report = (await owner.post(`/api/v2/projects/${projectId}/reports`, { title: 'Trees' })).body.id
  await until(
    () => owner.get(`/api/v2/reports/${report}`),
    ({ body }) => body.status === 'ready',
  )
  await owner.post(`/api/v2/workspaces/${workspaceId}/members`, { email: 'bo@example.com', role: 'member' })

  const pages: Opened[] = [
    { path: '/', late: /me\/activity/, text: 'Needs attention' },
    { path: `/projects/${projectId}/conversations`, late: /conversations\?/, text: 'Trees, benches' },
    { path: `/projects/${projectId}/conversations/${id}`, late: /me\/workspaces/, text: 'Edit details' },
    { path: `/projects/${projectId}/reports/${report}`, late: /me\/workspaces/, text: 'Delete the report' },
    { path: `/workspaces/${workspaceId}/members`, late: /invitations\?/, text: 'bo@example.com' },
    {
      path: `/organisations/${organisationId}/audit`,
      late: /organisations\/[^/]+\/workspaces/,
      text: 'When',
    },
  ]
  const moved: Record<string, unknown> = {}
  const page = await dashboard.open(host)
  await page.addInitScript(WATCH_SHIFTS)
  for (const width of [1280, 390])
    for (const opened of pages) {
      await page.setViewportSize({ width, height: 800 })
      const shifts = await shiftsOf(
        page,
        width === 390 && opened.text === 'When' ? { ...opened, text: 'What' } : opened,
      )
      if (shifts.reduce((sum, [value]) => sum + value, 0) > MAX_SHIFT)
        moved[`${width} ${opened.path}`] = shifts
    }
  assert.deepEqual(moved, {})
})

test('problems stand in two columns on a wide screen, and in one on a phone', options, async () => {
  const host = await dashboard.newPerson('Mara')
  const { workspaceId, owner } = await newPortalOf(dashboard.backend, host)
  for (const name of ['bo', 'cy'])
    await owner.post(`/api/v2/workspaces/${workspaceId}/members`, {
      email: `${name}@example.com`,
      role: 'member',
    })
  await dashboard.backend.database.pool.query(
    "update invitations set expires_at = now() - interval '1 hour' where workspace_id = $1",
    [workspaceId],
  )
  const page = await dashboard.open(host)
  const problems = page.getByRole('region', { name: 'Needs attention' }).locator('li')
  const columns: Record<number, number> = {}
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await problems.nth(1).waitFor()
    const boxes = await Promise.all((await problems.all()).map((problem) => problem.boundingBox()))
    assert.equal(boxes.length, 2)
    columns[width] = new Set(boxes.map((box) => box?.x)).size
  }
  assert.deepEqual(columns, { 1280: 2, 390: 1 })
})
