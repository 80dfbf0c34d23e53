import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createExtractiveSummarizer } from '../../server/summaries/engines/extractive/summarizer.ts'
import { needs } from '../portal/support/browsers.ts'
import { newConversation, newPortalOf, type Portal, type TestConversation } from '../support/conversations.ts'
import { scriptedTranscriber, wavOf } from '../support/engines.ts'
import { axeViolations, dashboardService, type Person } from './support/dashboard.ts'

const engines = { transcriber: scriptedTranscriber(), summarizer: createExtractiveSummarizer() }
const dashboard = dashboardService({ engines })
const options = needs('chromium')

async function newRoom(): Promise<Portal & { host: Person; path: string }> {
  const host = await dashboard.newPerson('Mara')
  const portal = await newPortalOf(dashboard.backend, host, { name: 'Town hall' })
  return { ...portal, host, path: `/projects/${portal.projectId}/live` }
}

const startTable = (portal: Portal, n: number): Promise<TestConversation> =>
  newConversation(portal, { participant_name: `Table ${n}` })

const tileOf = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('link', { name: `of ${name}`, exact: false }) })

const names = (page: Page): Promise<string[]> =>
  page.getByRole('list', { name: 'People who record' }).getByRole('link').allInnerTexts()

const inOrder = (count: number): string[] => Array.from({ length: count }, (_, n) => `Table ${n + 1}`)

test('shows forty tables with their words as they are spoken, each in its place', options, async () => {
  const room = await newRoom()
  const page = await dashboard.open(room.host, room.path)
  await page.getByText('No one is recording').waitFor()
  const tables: TestConversation[] = []
  for (let n = 1; n <= 40; n += 1) tables.push(await startTable(room, n))
  await page.getByText('40 are recording').waitFor()
  await Promise.all(
    tables.map(({ send }, n) => send('PUT', '/chunks/0', wavOf(`This is what table ${n + 1} says.`, 5))),
  )
  await page.getByText('This is what table 40 says.').waitFor()
  await page.getByText('This is what table 1 says.').waitFor()
  await page.getByText('All is well').waitFor()
  assert.deepEqual(await names(page), inOrder(40))
  await page.setViewportSize({ width: 1920, height: 1080 })
  await page.getByRole('button', { name: 'Full screen' }).click()
  await page.getByRole('button', { name: 'Leave full screen' }).waitFor()
  const [needed, available] = await page.evaluate<[number, number]>(
    '[document.fullscreenElement.scrollHeight, document.fullscreenElement.clientHeight]',
  )
  assert.ok(needed <= available, `all tiles fit on the screen: ${needed} of ${available} px`)
  const long = Array.from({ length: 30 }, (_, n) => `This is sentence ${n + 1}.`).join(' ')
  await tables[1]?.send('PUT', '/chunks/1', wavOf(long, 5))
  await tileOf(page, 'Table 2').getByText('This is sentence 30.').waitFor()
  const countLines = () =>
    page.evaluate<[all: number, shown: number]>(`(() => {
      const text = [...document.querySelectorAll('li p')].find((one) => one.textContent.includes('sentence 30.'))
      const height = Number.parseFloat(getComputedStyle(text).lineHeight)
      return [text.offsetHeight / height, text.parentElement.clientHeight / height]
    })()`)
  const [all, shown] = await countLines()
  assert.ok(shown < all - 1, `${shown} of ${all} lines are shown`)
  assert.ok(Math.abs(shown - Math.round(shown)) < 0.1, `${shown} lines are shown`)
  await page.getByRole('button', { name: 'Leave full screen' }).click()
  await page.getByRole('button', { name: 'Full screen', exact: true }).waitFor()
  assert.equal(Math.round((await countLines())[1]), 3)

  await tables[0]?.send('POST', '/finish')
  await startTable(room, 41)
  await page.getByText('1 has finished').waitFor()
  await page.getByText('Table 41').waitFor()
  assert.deepEqual(await names(page), inOrder(41), 'no tile has moved')
  assert.deepEqual(await axeViolations(page), [])

  await page.getByRole('link', { name: 'Open the conversation of Table 7' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Table 7' }).waitFor()
})

test('marks who is silent, has a gap or failed, with a word, and can show only them', options, async () => {
  const room = await newRoom()
  const [silent, gap, failed, fine, paused] = await Promise.all(
    [1, 2, 3, 4, 5].map((n) => startTable(room, n)),
  )
  assert.ok(silent && gap && failed && fine && paused)
  for (const { send } of [silent, gap, fine, paused])
    await send('PUT', '/chunks/0', wavOf('Good morning.', 5))
  await gap.send('PUT', '/chunks/2', wavOf('After the gap.', 5))
  await failed.send('PUT', '/chunks/0', wavOf('!unreadable', 5))
  await failed.send('POST', '/finish')
  await paused.send('POST', '/heartbeat', { paused: true })
  await room.backend.database.pool.query(
    `update conversations set active_at = now() - interval '95 seconds' where id = any($1)`,
    [[silent.id, paused.id]],
  )
  const page = await dashboard.open(room.host, room.path)
  await tileOf(page, 'Table 1').getByText('No signal for 1:').waitFor()
  await tileOf(page, 'Table 2').getByText('Audio missing: 5 seconds').waitFor()
  await tileOf(page, 'Table 3').getByText('Failed').waitFor()
  await tileOf(page, 'Table 4').getByText('Recording').waitFor()
  await tileOf(page, 'Table 5').getByText('Paused').waitFor()
  await page.getByText('1 is paused').waitFor()
  await page.getByText('3 need attention').waitFor()
  await page.getByText('Needs attention').first().click()
  await page.waitForURL(/show=trouble/)
  assert.deepEqual((await names(page)).sort(), inOrder(3))

  await silent.send('PUT', '/chunks/1', wavOf('Here we are again.', 5))
  await page.getByText('2 need attention').waitFor()
  await page.reload()
  await page.getByText('2 need attention').waitFor()
  assert.deepEqual((await names(page)).sort(), ['Table 2', 'Table 3'], 'the address keeps the choice')
})

test('shows typed text, the length of a recording that is over, and why one failed', options, async () => {
  const room = await newRoom()
  const [writing, written, file, failed] = await Promise.all([1, 2, 3, 4].map((n) => startTable(room, n)))
  assert.ok(writing && written && file && failed)
  await writing.send('POST', '/text', { content: 'We all come by bicycle.' })
  await written.send('POST', '/text', { content: 'The quay is dark.' })
  await file.send('PUT', '/chunks/0', wavOf('A file that was sent at once.', 65))
  await failed.send('PUT', '/chunks/0', wavOf('!unreadable', 5))
  for (const { send } of [written, file, failed]) await send('POST', '/finish')
  const page = await dashboard.open(room.host, room.path)
  const clocks = (name: string): Promise<string[]> =>
    tileOf(page, name)
      .getByText(/^\d+:\d\d$/)
      .allInnerTexts()
  await tileOf(page, 'Table 1').getByText('We all come by bicycle.').waitFor()
  await tileOf(page, 'Table 1').getByText('Writing').waitFor()
  await tileOf(page, 'Table 2').getByText('Finished', { exact: true }).waitFor()
  await tileOf(page, 'Table 2').getByText('The quay is dark.').waitFor()
  await tileOf(page, 'Table 3').getByText('1:05', { exact: true }).waitFor()
  await tileOf(page, 'Table 4').getByText('Failed').waitFor()
  await tileOf(page, 'Table 4').getByText('The audio cannot be decoded.').waitFor()
  await page.getByText('1 is writing').waitFor()
  // Not the failed one.
  await page.getByText('2 have finished').waitFor()
  assert.equal((await clocks('Table 1')).length, 1)
  assert.deepEqual([await clocks('Table 2'), await clocks('Table 4')], [[], []])
  assert.equal(await page.getByText('No words').count(), 0)
  assert.deepEqual(await axeViolations(page), [])
})

test('says that it reconnects, and then shows what was said in the meantime', options, async () => {
  const room = await newRoom()
  const table = await startTable(room, 1)
  await table.send('PUT', '/chunks/0', wavOf('Before the connection was lost.', 5))
  const page = await dashboard.open(room.host, room.path)
  await page.getByText('Before the connection was lost.').waitFor()
  await page.getByText('Live', { exact: true }).waitFor()

  const requests = /\/api\/v2\/projects\/[^/]+\/(stream|live)/
  await page.route(requests, (route) => route.abort())
  room.backend.app.server.closeAllConnections()
  await page.getByText('Reconnecting…').waitFor()
  for (const [seq, text] of ['One while it was lost.', 'Two while it was lost.'].entries())
    await table.send('PUT', `/chunks/${seq + 1}`, wavOf(text, 5))
  await page.unroute(requests)
  await page.getByText('Live', { exact: true }).waitFor()
  await page
    .getByText('Before the connection was lost. One while it was lost. Two while it was lost.')
    .waitFor()
})
