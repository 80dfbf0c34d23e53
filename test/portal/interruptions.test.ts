import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startBackend, type TestBackend } from '../support/backend.ts'
import { newPortal, type Portal } from '../support/conversations.ts'
import { scriptedEngines } from '../support/engines.ts'
import { until } from '../support/webhooks.ts'
import { needs } from './support/browsers.ts'
import {
  newPhone,
  type Phone,
  type PhoneOptions,
  sendRecording,
  startRecording,
  stepOf,
  untilStep,
} from './support/phone.ts'
import { RATE, type SpokenFile, speechFile } from './support/speech.ts'
import { audioOf, audioOfConversation, conversationsOf, pageOf } from './support/stored.ts'

let backend: TestBackend
let spoken: SpokenFile
before(async () => {
  backend = await startBackend({ engines: scriptedEngines() })
  spoken = await speechFile(['en-librivox-1'])
})
after(() => backend.stop())

const seconds = (page: Page, count: number) => page.waitForTimeout(count * 1_000)
/** Until the microphone check shows the level. */
async function untilChecked(page: Page): Promise<void> {
  while ((await stepOf(page)) !== 'microphone') await page.click('.primary')
  await page.click('.primary')
  await page.waitForSelector('.level')
}

const phaseOf = (page: Page, text: string) => page.locator('.phase', { hasText: text }).waitFor()

interface Scene {
  portal: Portal
  phone: Phone
  page: Page
}

/** A phone whose microphones can be disturbed, on the page of a new project. */
async function onPhone(work: (scene: Scene) => Promise<void>, options: PhoneOptions = {}): Promise<void> {
  const portal = await newPortal(backend)
  await using phone = await newPhone(spoken.path, { scripts: ['microphones.js'], microphones: 2, ...options })
  await work({ portal, phone, page: await phone.open(pageOf(portal)) })
}

/** Sends what was recorded, and fails if more than a second of what the recorders captured is not stored. */
async function sendAll({ page, portal }: Scene): Promise<void> {
  await sendRecording(page)
  const [captured, stalled] = await page.evaluate<[number, number]>(
    '[window.capturedSeconds, window.stalledSeconds]',
  )
  await untilStep(page, 'thanks')
  const missing = captured - (await audioOf(portal)).length / RATE
  // A busy machine reports the end of a recorder late.
  assert.ok(
    Math.abs(missing) < 1 + stalled,
    `${missing} s are missing; the page stood still for ${stalled} s`,
  )
}

describe('a recording', { concurrency: 3, ...needs('chromium') }, () => {
  test('continues after a phone call, which the page shows', () =>
    onPhone(async (scene) => {
      const { page } = scene
      await startRecording(page)
      await phaseOf(page, 'Recording')
      await page.evaluate('phone.mute(true)')
      await phaseOf(page, 'turned off the microphone')
      await page.evaluate('phone.mute(false)')
      await phaseOf(page, 'Recording')
      await seconds(page, 2)
      await sendAll(scene)
    }))

  test('continues with the next microphone when the track ends, without losing what was said before', () =>
    onPhone(async (scene) => {
      const { page } = scene
      await startRecording(page)
      await phaseOf(page, 'Recording')
      for (const count of [2, 3]) {
        await seconds(page, 1.4)
        await page.evaluate('phone.endTrack()')
        await until(
          () => page.evaluate<number>('phone.opened()'),
          (opened) => opened === count,
        )
        await phaseOf(page, 'Recording')
      }
      await seconds(page, 2)
      await sendAll(scene)
    }))

  test('continues with another microphone when the headset is unplugged', () =>
    onPhone(async (scene) => {
      const { page } = scene
      await startRecording(page)
      await seconds(page, 2)
      const device = await page.evaluate<string>('phone.device()')
      await page.evaluate('phone.unplug()')
      await until(
        () => page.evaluate<string>('phone.device()'),
        (current) => current !== device,
      )
      await phaseOf(page, 'Recording')
      await seconds(page, 2)
      await sendAll(scene)
    }))

  test('starts with another microphone when the headset is unplugged during the check', () =>
    onPhone(async (scene) => {
      const { page } = scene
      await untilChecked(page)
      const device = await page.evaluate<string>('phone.device()')
      await page.evaluate('phone.unplug()')
      await until(
        () => page.evaluate<string>('phone.device()'),
        (current) => current !== device,
      )
      await page.waitForSelector('.level')
      await page.evaluate('phone.disconnect()')
      await until(
        () => page.evaluate<number>('phone.opened()'),
        (opened) => opened === 3,
      )
      await page.waitForSelector('.level')
      await startRecording(page)
      await phaseOf(page, 'Recording')
      await seconds(page, 2)
      await sendAll(scene)
    }))

  test('starts although the microphone ended as the button was pressed', () =>
    onPhone(async (scene) => {
      const { page } = scene
      await untilChecked(page)
      await page.evaluate("phone.endTrack(); document.querySelector('.actions .primary').click()")
      await untilStep(page, 'recording')
      await phaseOf(page, 'Recording')
      await seconds(page, 2)
      await sendAll(scene)
    }))

  test('leaves no microphone on when the buttons before it are pressed several times', () =>
    onPhone(async (scene) => {
      const { page } = scene
      while ((await stepOf(page)) !== 'microphone') await page.click('.primary')
      const pressThrice = () =>
        page.evaluate("for (let i = 0; i < 3; i++) document.querySelector('.actions .primary').click()")
      await pressThrice()
      await until(
        () => page.evaluate<number>('phone.opened()'),
        (opened) => opened === 3,
      )
      await page.waitForSelector('.level')
      assert.equal(await page.evaluate('phone.inUse()'), 1)
      await pressThrice()
      await phaseOf(page, 'Recording')
      await sendAll(scene)
      assert.equal(await page.evaluate('phone.inUse()'), 0)
    }))

  test('says that the microphone is blocked, and continues once it is allowed', () =>
    onPhone(async (scene) => {
      const { page } = scene
      await startRecording(page)
      await phaseOf(page, 'Recording')
      await seconds(page, 1.4)
      await page.evaluate('phone.isBlocked = true; phone.endTrack()')
      await phaseOf(page, 'The microphone is blocked')
      await page.locator('.notice', { hasText: 'allow the microphone' }).waitFor()
      await page.evaluate('phone.isBlocked = false')
      await phaseOf(page, 'Recording')
      await page.locator('.notice').waitFor({ state: 'detached' })
      await seconds(page, 2)
      await sendAll(scene)
    }))

  test('has its real length when the clock of the phone is set, and keeps its microphone', () =>
    onPhone(async (scene) => {
      const { page } = scene
      await startRecording(page)
      await phaseOf(page, 'Recording')
      await seconds(page, 2)
      await page.evaluate('{ const now = Date.now; Date.now = () => now() + 3_600_000 }')
      await page.getByText(/Saved on this device: (?!0:0[0-5])/).waitFor()
      await page.locator('.time', { hasText: /^0:/ }).waitFor()
      assert.equal(await page.evaluate('phone.opened()'), 1)
      await sendAll(scene)
    }))

  test('does not count the time for which the phone stopped the page', () =>
    onPhone(async ({ page }) => {
      await startRecording(page)
      await phaseOf(page, 'Recording')
      await page.evaluate('phone.isStalled = true; phone.hide(true)')
      await seconds(page, 5)
      await page.evaluate('phone.hide(false); phone.isStalled = false')
      await page.locator('.notice', { hasText: 'your browser stopped recording' }).waitFor()
      const before = await page.locator('.time').innerText()
      await page.locator('.time', { hasNotText: before }).waitFor()
      await page.click('.actions .primary')
      await untilStep(page, 'review')
      const captured = await page.evaluate<number>('window.capturedSeconds')
      const shown = await page.locator('.player-time').innerText()
      const [, length = ''] = /\/ 0:(\d\d)$/.exec(shown) ?? assert.fail(shown)
      assert.ok(Number(length) < captured - 3, `${shown}; ${captured} s`)
    }))

  test('continues when the recorder stalls', () =>
    onPhone(async (scene) => {
      const { page, portal } = scene
      await startRecording(page)
      await phaseOf(page, 'Recording')
      await page.evaluate('phone.isStalled = true')
      await phaseOf(page, 'Looking for another one')
      await page.evaluate('phone.isStalled = false')
      await phaseOf(page, 'Recording')
      await seconds(page, 3)
      await sendRecording(page)
      await untilStep(page, 'thanks')
      assert.ok((await audioOf(portal)).length / RATE > 3)
    }))

  test('an unsent recording is offered again after each reload, and can be continued and sent', () =>
    onPhone(async ({ page, portal }) => {
      page.on('dialog', (dialog) => void dialog.accept())
      await startRecording(page)
      await page.getByText(/Saved on this device: 0:0[2-9]/).waitFor()
      for (let times = 0; times < 5; times++) {
        await page.reload()
        await untilStep(page, 'resume')
      }
      assert.match(await page.locator('main').innerText(), /Length: 0:0[2-9]\./)
      await page.getByRole('button', { name: 'Continue recording' }).click()
      await page.getByRole('button', { name: 'Turn on the microphone' }).click()
      await page.getByRole('button', { name: 'Continue recording' }).click()
      await untilStep(page, 'recording')
      await seconds(page, 2.5)
      await sendRecording(page)
      await untilStep(page, 'thanks')
      const stored = (await audioOf(portal)).length / RATE
      assert.ok(stored > 4, `${stored} s`)
    }))

  test('can be continued although it was already being sent', () =>
    onPhone(async ({ page, phone, portal }) => {
      page.on('dialog', (dialog) => void dialog.accept())
      await startRecording(page)
      await seconds(page, 2)
      await phone.context.setOffline(true)
      await sendRecording(page)
      await untilStep(page, 'sending')
      await phone.context.setOffline(false)
      await page.route('**/api/participant/**', (route) => route.abort())
      await page.reload()
      await page.unroute('**/api/participant/**')
      await untilStep(page, 'resume')
      await page.getByRole('button', { name: 'Continue recording' }).click()
      await startRecording(page)
      await seconds(page, 3)
      await sendRecording(page)
      await untilStep(page, 'thanks')
      const stored = (await audioOf(portal)).length / RATE
      assert.ok(stored > 4, `${stored} s`)
    }))

  test('is not disturbed by a second tab, which records its own conversation', () =>
    onPhone(async ({ page, phone, portal }) => {
      await startRecording(page)
      await seconds(page, 1)
      const second = await phone.open(pageOf(portal))
      assert.equal(await stepOf(second), 'welcome')
      await startRecording(second)
      await seconds(second, 2)
      for (const tab of [second, page]) {
        await tab.bringToFront()
        await sendRecording(tab)
        await untilStep(tab, 'thanks')
      }
      const found = await conversationsOf(portal)
      assert.equal(found.length, 2)
      for (const { id } of found) assert.ok((await audioOfConversation(portal, id)).length / RATE > 1.5)
    }))

  test('is offered in a second tab when the first one is closed', () =>
    onPhone(async ({ page, phone, portal }) => {
      await startRecording(page)
      await page.getByText(/Saved on this device: 0:0[1-9]/).waitFor()
      const second = await phone.open(pageOf(portal))
      assert.equal(await stepOf(second), 'welcome')
      await page.close({ runBeforeUnload: false })
      await untilStep(second, 'resume')
      await second.click('.actions .primary')
      await untilStep(second, 'thanks')
      assert.ok((await audioOf(portal)).length / RATE > 0.9)
    }))

  test('warns before the page is left with audio that was not received, and not afterwards', () =>
    onPhone(async ({ page, phone, portal }) => {
      await startRecording(page)
      await seconds(page, 1)
      const warned = page.waitForEvent('dialog')
      void page.close({ runBeforeUnload: true })
      const dialog = await warned
      assert.equal(dialog.type(), 'beforeunload')
      await dialog.dismiss()
      await sendRecording(page)
      await untilStep(page, 'thanks')
      const closed = page.waitForEvent('close')
      page.on('dialog', () => assert.fail('no warning is due'))
      await page.close({ runBeforeUnload: true })
      await closed
      assert.equal((await conversationsOf(portal)).length, 1)
      assert.equal(await stepOf(await phone.open(pageOf(portal))), 'welcome')
    }))

  test('continues when the disk is full; the page says so and sends everything', () =>
    onPhone(
      async (scene) => {
        const { page, phone } = scene
        await startRecording(page)
        await seconds(page, 1)
        await phone.context.setOffline(true)
        const devtools = await phone.context.newCDPSession(page)
        await devtools.send('Storage.overrideQuotaForOrigin', { origin: backend.url, quotaSize: 1 })
        await page.getByText('The storage of this device is full').waitFor()
        await seconds(page, 6)
        await phone.context.setOffline(false)
        await sendAll(scene)
      },
      { hasDisk: true },
    ))

  test('continues when the data of the site is deleted; the page says how much is gone and sends the rest', () =>
    onPhone(async ({ page, phone, portal }) => {
      await startRecording(page)
      await phaseOf(page, 'Recording')
      await phone.context.setOffline(true)
      await seconds(page, 3)
      const given = await page.evaluate<number>('window.givenSeconds()')
      const devtools = await phone.context.newCDPSession(page)
      await devtools.send('Storage.clearDataForOrigin', { origin: backend.url, storageTypes: 'all' })
      const gone = await page.getByText('A part of your recording').innerText()
      const lost = Number(/(\d+) seconds?/.exec(gone)?.[1])
      assert.ok(lost >= 2, gone)
      await seconds(page, 4)
      await sendRecording(page)
      await page.getByText('The rest is safe on this device').waitFor()
      assert.doesNotMatch(await page.locator('main').innerText(), /Your recording is safe/)
      await phone.context.setOffline(false)
      await untilStep(page, 'thanks')
      const receipt = await page.getByText('except for a part').innerText()
      const missing = Number(/(\d+) second/.exec(receipt)?.[1])
      assert.ok(Math.abs(missing - given) < 2, `${missing} s are missing, ${given} s were deleted`)
      // The rest can be played, although the header of the first file is gone.
      const rest = (await audioOf(portal)).slice(-3 * RATE)
      assert.ok(rest.some((sample) => Math.abs(sample) > 0.05))
    }))

  test('is not said to be safe on a full disk without a network, until it is sent', () =>
    onPhone(
      async ({ page, phone }) => {
        await startRecording(page)
        await phaseOf(page, 'Recording')
        await phone.context.setOffline(true)
        await page.getByText('The storage of this device is full').waitFor()
        await page.getByText('Kept in this page').waitFor()
        await sendRecording(page)
        await page.getByText('Your recording is only in this page').waitFor()
        await page.getByText('Please keep this page open').waitFor()
        await phone.context.setOffline(false)
        await untilStep(page, 'thanks')
      },
      { scripts: ['microphones.js', 'full-disk.js'] },
    ))

  test('is kept in memory and sent where nothing can be saved; the page says what that means', () =>
    onPhone(
      async (scene) => {
        const { page } = scene
        await startRecording(page)
        await page.getByText('Keep the page open until everything has been received').waitFor()
        await page.getByText('Kept in this page').waitFor()
        await seconds(page, 6)
        await sendAll(scene)
      },
      { scripts: ['no-storage.js'] },
    ))
  test('names at its end how many parts there are, and waits until the server has all of them', () =>
    onPhone(async ({ page, phone, portal }) => {
      await phone.context.setOffline(true)
      await startRecording(page)
      await seconds(page, 12)
      const given = await page.evaluate<number>('window.givenSeconds()')
      await sendRecording(page)
      await page.getByText(/0 of [3-9] parts received/).waitFor()
      await page.getByText('Your recording is safe on this device').waitFor()
      await seconds(page, 2)
      assert.equal(await stepOf(page), 'sending')
      await phone.context.setOffline(false)
      await untilStep(page, 'thanks')
      const stored = (await audioOf(portal)).length / RATE
      assert.ok(given - stored < 1, `${stored} s of ${given} s`)
    }))

  test('is left to the participant as a file if the project was deleted, also when the link is opened again', () =>
    onPhone(async ({ page, phone, portal }) => {
      page.on('dialog', (dialog) => void dialog.accept())
      await startRecording(page)
      await seconds(page, 3)
      const { status } = await portal.owner.send('DELETE', `/api/v2/projects/${portal.projectId}`)
      assert.equal(status, 204)
      await page.getByText(/Not accepted by the server so far: .* It is kept here/).waitFor()
      await sendRecording(page)
      const save = { name: 'Save the recording as a file' }
      await page.getByRole('button', save).waitFor()
      await page.close()
      const again = await phone.open(pageOf(portal))
      assert.match(await again.locator('h1').innerText(), /This link does not work/)
      const downloading = again.waitForEvent('download')
      await again.getByRole('button', save).click()
      const download = await downloading
      assert.equal(download.suggestedFilename(), 'recording.webm')
    }))
})
