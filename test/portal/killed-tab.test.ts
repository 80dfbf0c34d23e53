import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startBackend, type TestBackend } from '../support/backend.ts'
import { newPortal } from '../support/conversations.ts'
import { scriptedEngines } from '../support/engines.ts'
import { needs } from './support/browsers.ts'
import { newPhone, type Phone, startRecording, untilStep } from './support/phone.ts'
import { RATE, speechFile } from './support/speech.ts'
import { audioOf, pageOf } from './support/stored.ts'

const ROUNDS = 4
const TABS = 5
const MAX_MISSING_SECONDS = 1
/** Between two pieces of the recorder. */
const PIECE_SECONDS = 0.5

let backend: TestBackend
before(async () => {
  backend = await startBackend({ engines: scriptedEngines() })
})
after(() => backend.stop())

/** Kills the tab at a random moment of a recording, sends what it left, and returns how many seconds are missing, and how many may be. */
async function killTab(phone: Phone): Promise<{ missing: number; allowed: number }> {
  const portal = await newPortal(backend)
  const url = pageOf(portal)
  const page = await phone.open(url)
  await startRecording(page)
  await page.getByText(/Saved on this device: 0:0[1-9]/).waitFor()
  await page.waitForTimeout(4_000 * Math.random())
  const asked = Date.now()
  const [pieceSeconds, given, lastPieceAt, slowest] = await page.evaluate<[number, number, number, number]>(
    '[window.pieceSeconds, window.givenSeconds(), window.lastPieceAt, window.slowestRead() + window.slowestSave()]',
  )
  // Also on a busy machine, on which what follows allows more to be missing.
  assert.equal(pieceSeconds, PIECE_SECONDS)
  const devtools = await phone.context.newCDPSession(page)
  const killedAt = Date.now()
  const crashed = page.waitForEvent('crash')
  void devtools.send('Page.crash').catch(() => {})
  await crashed
  await page.close()

  const again = await phone.open(url)
  await untilStep(again, 'resume')
  await again.click('.primary')
  await untilStep(again, 'thanks')
  await again.close()
  const stored = await audioOf(portal)
  const gap = (killedAt - asked) / 1_000
  return {
    // The microphone of a busy machine is slower than the clock.
    missing: given + gap - stored.length / RATE,
    // A busy machine gives pieces later, and reads and saves them more slowly: some are being saved, and those since then wait.
    allowed:
      Math.max(MAX_MISSING_SECONDS, (killedAt - lastPieceAt) / 1_000 + PIECE_SECONDS + 2 * slowest) + gap,
  }
}

test('a killed tab costs at most one second', needs('chromium'), async () => {
  const { path } = await speechFile(['en-librivox-1'])
  await using phone = await newPhone(path, { hasDisk: true, scripts: ['slowest-save.js'] })
  for (let round = 0; round < ROUNDS; round++) {
    const killed = await Promise.all(Array.from({ length: TABS }, () => killTab(phone)))
    for (const { missing, allowed } of killed)
      assert.ok(missing <= allowed, `${missing} s are missing, ${allowed} s may be`)
  }
})
