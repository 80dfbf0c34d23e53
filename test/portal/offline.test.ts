import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startBackend, type TestBackend } from '../support/backend.ts'
import { newPortal } from '../support/conversations.ts'
import { needs } from './support/browsers.ts'
import { newPhone } from './support/phone.ts'
import { startReleases, untilSaved } from './support/release.ts'
import { speechFile } from './support/speech.ts'

let backend: TestBackend
before(async () => {
  backend = await startBackend()
})
after(() => backend.stop())

const versionOf = (page: Page) => page.locator('html').getAttribute('data-version')

async function reload(page: Page): Promise<string | null> {
  await page.reload()
  await page.waitForSelector('h1')
  return await versionOf(page)
}

test(
  'the page opens without a server or with one that fails, and never in an old version once a new one is there',
  needs('chromium'),
  async () => {
    const { projectId, owner } = await newPortal(backend)
    await using server = await startReleases(backend.url)
    await using phone = await newPhone((await speechFile(['en-librivox-1'])).path)
    const page = await phone.open(`${server.url}/p/${projectId}`)
    await untilSaved(page)
    assert.equal(await versionOf(page), '1')
    server.release(2)
    assert.equal(await reload(page), '2')
    server.setUp(false)
    assert.equal(await reload(page), '2')
    server.setUp(true)
    server.setFailing(true)
    assert.equal(await reload(page), '2')
    server.setFailing(false)
    server.release(3)
    assert.equal(await reload(page), '3')

    await owner.send('DELETE', `/api/v2/projects/${projectId}`)
    await page.reload()
    await page.getByText('This link does not work').first().waitFor()
  },
)

test('a language that was chosen once is there without a server', needs('chromium'), async () => {
  const { projectId } = await newPortal(backend)
  await using server = await startReleases(backend.url)
  await using phone = await newPhone((await speechFile(['en-librivox-1'])).path)
  const page = await phone.open(`${server.url}/p/${projectId}`)
  await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
  await page.reload()
  await page.selectOption('.language select', 'uk')
  await page.locator('html[lang=uk]').waitFor()
  server.setUp(false)
  await page.reload()
  await page.selectOption('.language select', 'uk')
  await page.locator('html[lang=uk]').waitFor()
})

test(
  'the page opens although its service worker does not respond, as after a crash',
  needs('chromium'),
  async () => {
    const { projectId } = await newPortal(backend)
    await using phone = await newPhone((await speechFile(['en-librivox-1'])).path)
    const url = `${backend.url}/p/${projectId}`
    const page = await phone.open(url)
    await untilSaved(page)
    const [worker] = phone.context.serviceWorkers()
    void worker?.evaluate('for (;;) {}').catch(() => {})
    const again = await phone.open(url)
    assert.equal(await again.locator('h1').count(), 1)
  },
)
