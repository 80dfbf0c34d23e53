import type { Page, Route } from 'playwright-core'
import { startRecording, untilStep } from '../support/phone.ts'
import {
  CHUNKS,
  microphoneFails,
  openPage,
  PROGRESS,
  press,
  refuse,
  type SceneContext,
  START,
  shorten,
} from './scenes.ts'

/** Called on each screen, with its name among the scenes. */
type See = (name: string) => Promise<void>

export interface Walk {
  /** The scenes on the way. */
  scenes: string[]
  walk(context: SceneContext, see: See): Promise<void>
}

/** From the welcome to the withdrawal: a page that is opened once passes most screens. */
const WHOLE_WAY: Walk = {
  scenes: [
    'welcome',
    'consent',
    'consent-needed',
    'about',
    'microphone',
    'microphone-blocked',
    'microphone-none',
    'microphone-in-use',
    'microphone-level',
    'recording',
    'recording-paused',
    'review',
    'review-delete',
    'sending',
    'thanks',
    'withdraw',
    'withdrawn',
  ],
  async walk(context, see) {
    const { page } = context
    await page.addInitScript('window.ask = navigator.mediaDevices?.getUserMedia')
    await page.route(START, shorten)
    await page.route(PROGRESS, (route) =>
      route.fulfill({ json: { transcript_so_far: context.said, transcript_truncated: false } }),
    )
    const held: Route[] = []
    let isHeld = false
    await page.route(CHUNKS, (route) => (isHeld ? void held.push(route) : route.continue()))
    await openPage(context)
    await see('welcome')
    await press(page)
    await see('consent')
    await press(page)
    await see('consent-needed')
    await page.check('input[type=checkbox]')
    await press(page)
    await see('about')
    await press(page)
    await see('microphone')
    await seeMicrophone(page, see)
    await press(page)
    await page.getByText(context.said.slice(-20)).waitFor()
    await see('recording')
    // Audio that is recorded from now on is sent only after the screens that show it.
    isHeld = true
    await page.waitForTimeout(1_500)
    await page.click('.actions .secondary')
    await see('recording-paused')
    await press(page)
    await untilStep(page, 'review')
    await see('review')
    await page.locator('.more .quiet').last().click()
    await page.waitForSelector('dialog[open]')
    await see('review-delete')
    await page.click('dialog .secondary')
    await press(page)
    await see('sending')
    isHeld = false
    for (const route of held) await route.continue()
    await untilStep(page, 'thanks')
    await see('thanks')
    await page.goto(String(await page.locator('.link a').getAttribute('href')))
    await page.waitForSelector('.danger')
    await see('withdraw')
    await page.click('.danger')
    await page.waitForSelector('.danger', { state: 'detached' })
    await see('withdrawn')
  },
}

const MICROPHONE_PROBLEMS = {
  'microphone-blocked': 'NotAllowedError',
  'microphone-none': 'NotFoundError',
  'microphone-in-use': 'NotReadableError',
}

async function seeMicrophone(page: Page, see: See): Promise<void> {
  for (const [name, error] of Object.entries(MICROPHONE_PROBLEMS)) {
    await page.evaluate(microphoneFails(error))
    const shown = await page.locator('main').innerText()
    await press(page)
    await page.locator('main', { hasNotText: shown }).locator('.notice').waitFor()
    await see(name)
  }
  await page.evaluate('navigator.mediaDevices.getUserMedia = window.ask')
  await press(page)
  await page.waitForSelector('.level')
  await see('microphone-level')
}

/** Sends without a network, then to a server that is away. */
const WITHOUT_NETWORK: Walk = {
  scenes: ['recording-offline', 'sending-offline', 'sending-server-away'],
  async walk({ page, browserContext, ...context }, see) {
    await page.route(START, shorten)
    await openPage({ page, browserContext, ...context })
    await startAndWait(page)
    await browserContext.setOffline(true)
    await page.waitForSelector('.trouble:not(:empty)')
    await see('recording-offline')
    await press(page)
    await untilStep(page, 'review')
    await press(page)
    await page.waitForSelector('.notice')
    await see('sending-offline')
    await page.route(CHUNKS, refuse(503, 'not_ready'))
    await browserContext.setOffline(false)
    await page.waitForSelector('[data-shown=errorServer]')
    await see('sending-server-away')
  },
}

async function startAndWait(page: Page): Promise<void> {
  await startRecording(page)
  await page.waitForTimeout(1_200)
}

const REJECTIONS: Record<string, [status: number, code: string]> = {
  'refused-limit': [409, 'limit_reached'],
  'refused-closed': [403, 'closed'],
  'refused-consent': [422, 'consent_required'],
  'refused-withdrawn': [403, 'participant_token_rejected'],
  'refused-deleted': [404, 'not_found'],
}

/** The server refuses the recording for one reason after the other. */
const REFUSED: Walk = {
  scenes: ['refused-other', ...Object.keys(REJECTIONS)],
  async walk(context, see) {
    const { page } = context
    let reason: [status: number, code: string] = [422, 'invalid_input']
    await page.route(START, (route) => refuse(...reason)(route))
    await openPage(context)
    await startAndWait(page)
    await press(page)
    await untilStep(page, 'review')
    await press(page)
    await page.waitForSelector('.picture.warning')
    await see('refused-other')
    for (const [name, next] of Object.entries(REJECTIONS)) {
      const title = await page.locator('h1').innerText()
      reason = next
      // As the browser does when a network is back: the page tries again.
      await page.evaluate("dispatchEvent(new Event('online'))")
      await page.locator('h1', { hasNotText: title }).waitFor()
      await page.waitForSelector('.picture.warning')
      await see(name)
    }
  },
}

export const WALKS = {
  'the whole way': WHOLE_WAY,
  'without a network': WITHOUT_NETWORK,
  'refused by the server': REFUSED,
} satisfies Record<string, Walk>
