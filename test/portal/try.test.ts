import { test } from 'node:test'
import { startBackend } from '../support/backend.ts'
import { newPortal } from '../support/conversations.ts'
import { scriptedEngines } from '../support/engines.ts'
import { launchChromium } from './browser.ts'

test('records', { timeout: 120_000 }, async () => {
  const backend = await startBackend({ engines: scriptedEngines() })
  const portal = await newPortal(backend, {
    title: 'What should change in your street?', description: 'The city wants to know what you need: traffic, trees, benches, light.\n\nSpeak freely.', consent_text: 'I agree that the city of Utrecht records and transcribes what I say, and uses it in a report.', ask_name: true, ask_email: true, tags: ['Traffic','Trees','Light'], finish_text: 'We read every contribution. The report appears in March.', privacy_url: 'https://example.org/privacy' })
  const browser = await launchChromium('/tmp/mic.wav')
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } })
  page.on('console', (m) => console.log('console', m.text()))
  page.on('pageerror', (e) => console.log('pageerror', e.stack))
  page.on('requestfailed', (r) => console.log('failed', r.url(), r.failure()?.errorText))
  page.on('response', (r) => r.status() >= 400 && console.log(r.status(), r.url()))
  const shot = (n: string) => page.screenshot({ path: `/tmp/shots/${n}.png` })
  await page.goto(`${backend.url}/p/${portal.projectId}`)
  await page.waitForSelector('h1'); await shot('1-welcome')
  await page.click('.primary'); await shot('2-consent')
  await page.check('input[type=checkbox]'); await page.click('.primary'); await shot('3-about')
  await page.click('.primary'); await shot('4-microphone')
  await page.click('.primary'); await page.waitForSelector('.level'); await page.waitForTimeout(2500); await shot('5-check')
  await page.click('.primary'); await page.waitForTimeout(14_000); await shot('6-recording')
  await page.click('.primary'); await page.waitForTimeout(800); await shot('7-review')
  await page.click('.primary'); await page.waitForSelector('.received'); await shot('8-thanks')
  console.log((await portal.owner.get(`/api/v2/projects/${portal.projectId}/conversations`)).text)
  await browser.close(); await backend.stop()
})
