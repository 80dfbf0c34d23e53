import type { BrowserContext, Page, Route } from 'playwright-core'
import { startRecording, stepOf, untilStep } from '../support/phone.ts'

/** What a scene can use. */
export interface Stage {
  page: Page
  context: BrowserContext
  /** The address of the recording page. */
  url: string
  /** What the server refused, for the message of a test that fails. */
  refusals: string[]
  /** What the participant says, as the engine would transcribe it. */
  said: string
}

/** A state of the page in which people can find themselves, and the way there. */
export interface Scene {
  name: string
  /** Whether the project takes no new recordings. */
  isClosed?: boolean
  /** Whether the page is opened without https. */
  isInsecure?: boolean
  reach(stage: Stage): Promise<void>
}

export const press = (page: Page) => page.click('.actions .primary')

export async function openPage({ page, url }: Stage, query = ''): Promise<void> {
  await page.goto(`${url}${query}`)
  await page.waitForSelector('h1')
}

async function openAt(stage: Stage, step: string): Promise<void> {
  await openPage(stage)
  while ((await stepOf(stage.page)) !== step) {
    if ((await stepOf(stage.page)) === 'consent') await stage.page.check('input[type=checkbox]')
    await press(stage.page)
  }
}

/** The browser refuses the microphone as it does with an error of this name. */
export const microphoneFails = (name: string): string =>
  `navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('', '${name}') }`

async function microphoneProblem(stage: Stage, error: string): Promise<void> {
  await openAt(stage, 'microphone')
  await stage.page.evaluate(microphoneFails(error))
  await press(stage.page)
  await stage.page.waitForSelector('.notice')
}

export const START = '**/api/participant/projects/*/conversations'
export const CHUNKS = '**/api/participant/conversations/*/chunks/*'
export const PROGRESS = '**/api/participant/conversations/*?tail=*'

/** Chunks of one second, so that a short recording has several. */
export async function shorten(route: Route): Promise<void> {
  const response = await route.fetch()
  await route.fulfill({ response, json: { ...(await response.json()), chunk_seconds: 1 } })
}

async function record(stage: Stage, seconds = 1.2): Promise<void> {
  await stage.page.route(START, shorten)
  await openPage(stage)
  await startRecording(stage.page)
  await stage.page.waitForTimeout(seconds * 1_000)
}

/** Goes offline during a recording of which something has arrived. */
async function recordAndLoseNetwork(stage: Stage): Promise<void> {
  const arrived = stage.page.waitForResponse(CHUNKS)
  await record(stage)
  await arrived
  await stage.context.setOffline(true)
  await stage.page.waitForTimeout(1_000)
}

async function recordAndReview(stage: Stage, seconds?: number): Promise<void> {
  await record(stage, seconds)
  await press(stage.page)
  await untilStep(stage.page, 'review')
}

async function recordAndSend(stage: Stage, seconds?: number): Promise<void> {
  await recordAndReview(stage, seconds)
  await press(stage.page)
}

export const refuse = (status: number, code: string) => (route: Route) =>
  route.fulfill({ status, contentType: 'application/problem+json', json: { status, code } })

async function refused(stage: Stage, status: number, code: string): Promise<void> {
  await openPage(stage)
  await stage.page.route(START, refuse(status, code))
  await startRecording(stage.page)
  await stage.page.waitForTimeout(700)
  await press(stage.page)
  await untilStep(stage.page, 'review')
  await press(stage.page)
  await stage.page.waitForSelector('.picture.warning')
}

/** Records several parts, of which the server refuses the second one. */
async function reviewWithRefusedPart(stage: Stage): Promise<void> {
  const refusePart = refuse(415, 'unsupported_media')
  await stage.page.route(CHUNKS, (route) =>
    route.request().url().endsWith('/chunks/1') ? refusePart(route) : route.continue(),
  )
  const refusal = stage.page.waitForResponse((response) => response.status() === 415)
  await recordAndReview(stage, 3)
  await refusal
  await stage.page.waitForSelector('.trouble:not(:empty)')
}

async function finishWithoutPart(stage: Stage): Promise<void> {
  await reviewWithRefusedPart(stage)
  await press(stage.page)
  await untilStep(stage.page, 'thanks')
  await stage.page.waitForSelector('.notice')
}

async function openReceipt(stage: Stage): Promise<void> {
  await recordAndSend(stage, 0.7)
  await untilStep(stage.page, 'thanks')
  const link = await stage.page.locator('.link a').getAttribute('href')
  // `PUBLIC_URL` and the address that the browser uses are the same here.
  await stage.page.goto(String(link))
  await stage.page.waitForSelector('h1')
}

async function writeText(stage: Stage): Promise<void> {
  await openAt(stage, 'microphone')
  await stage.page.click('.actions .quiet')
  await untilStep(stage.page, 'text')
  await stage.page.fill('textarea', stage.said)
}

/** Every screen, with every problem that has words of its own. */
export const SCENES: Scene[] = [
  { name: 'welcome', reach: (stage) => openPage(stage) },
  { name: 'consent', reach: (stage) => openAt(stage, 'consent') },
  {
    name: 'consent-needed',
    async reach(stage) {
      await openAt(stage, 'consent')
      await press(stage.page)
    },
  },
  { name: 'about', reach: (stage) => openAt(stage, 'about') },
  { name: 'microphone', reach: (stage) => openAt(stage, 'microphone') },
  {
    name: 'microphone-level',
    async reach(stage) {
      await openAt(stage, 'microphone')
      await press(stage.page)
      await stage.page.waitForSelector('.level')
      await stage.page.waitForTimeout(900)
    },
  },
  { name: 'microphone-blocked', reach: (stage) => microphoneProblem(stage, 'NotAllowedError') },
  { name: 'microphone-none', reach: (stage) => microphoneProblem(stage, 'NotFoundError') },
  { name: 'microphone-in-use', reach: (stage) => microphoneProblem(stage, 'NotReadableError') },
  {
    name: 'microphone-not-secure',
    isInsecure: true,
    async reach(stage) {
      await openAt(stage, 'microphone')
      await press(stage.page)
      await stage.page.waitForSelector('.notice')
    },
  },
  {
    name: 'recording',
    async reach(stage) {
      // The engine is not part of this: the text comes at once, in the language of the page.
      await stage.page.route(PROGRESS, (route) =>
        route.fulfill({ json: { transcript_so_far: stage.said, transcript_truncated: false } }),
      )
      await record(stage, 2)
      await stage.page.getByText(stage.said.slice(-20)).waitFor()
    },
  },
  {
    name: 'recording-paused',
    async reach(stage) {
      await record(stage)
      await stage.page.click('.actions .secondary')
    },
  },
  {
    name: 'recording-lost',
    async reach(stage) {
      const keep = `const ask = navigator.mediaDevices?.getUserMedia.bind(navigator.mediaDevices)
        if (ask) navigator.mediaDevices.getUserMedia = async (options) => (window.microphone = await ask(options))`
      await stage.page.addInitScript(keep)
      await record(stage)
      await stage.page.evaluate(microphoneFails('NotFoundError'))
      await stage.page.evaluate('window.microphone.getTracks().forEach((track) => track.stop())')
      await stage.page.waitForSelector('.actions .secondary[disabled]')
    },
  },
  {
    name: 'recording-offline',
    async reach(stage) {
      await recordAndLoseNetwork(stage)
      await stage.page.waitForSelector('.trouble:not(:empty)')
    },
  },
  {
    name: 'recording-in-memory',
    async reach(stage) {
      await stage.page.addInitScript("Object.defineProperty(window, 'indexedDB', { value: undefined })")
      await record(stage)
    },
  },
  { name: 'text', reach: writeText },
  { name: 'review', reach: (stage) => recordAndReview(stage, 3) },
  { name: 'review-refused-part', reach: reviewWithRefusedPart },
  {
    name: 'review-delete',
    async reach(stage) {
      await recordAndReview(stage)
      await stage.page.locator('.more .quiet').last().click()
      await stage.page.waitForSelector('dialog[open]')
    },
  },
  {
    name: 'sending',
    async reach(stage) {
      let passed = 0
      await stage.page.route(CHUNKS, (route) => (passed++ < 2 ? route.continue() : undefined))
      await recordAndSend(stage, 4)
      await stage.page.waitForTimeout(300)
    },
  },
  {
    name: 'sending-offline',
    async reach(stage) {
      await recordAndLoseNetwork(stage)
      await press(stage.page)
      await untilStep(stage.page, 'review')
      await press(stage.page)
      await stage.page.waitForSelector('.notice')
    },
  },
  {
    name: 'sending-server-away',
    async reach(stage) {
      await stage.page.route(CHUNKS, refuse(503, 'not_ready'))
      await recordAndSend(stage)
      await stage.page.waitForSelector('.notice')
    },
  },
  { name: 'refused-limit', reach: (stage) => refused(stage, 409, 'limit_reached') },
  { name: 'refused-closed', reach: (stage) => refused(stage, 403, 'closed') },
  { name: 'refused-consent', reach: (stage) => refused(stage, 422, 'consent_required') },
  { name: 'refused-withdrawn', reach: (stage) => refused(stage, 404, 'not_found') },
  { name: 'refused-other', reach: (stage) => refused(stage, 422, 'invalid_input') },
  {
    name: 'thanks',
    async reach(stage) {
      await recordAndSend(stage)
      await untilStep(stage.page, 'thanks')
    },
  },
  { name: 'thanks-without-part', reach: finishWithoutPart },
  {
    name: 'kiosk',
    async reach(stage) {
      const url = `${stage.url}?kiosk`
      await recordAndSend({ ...stage, url })
      await untilStep(stage.page, 'thanks')
    },
  },
  {
    name: 'kiosk-without-part',
    async reach(stage) {
      await finishWithoutPart({ ...stage, url: `${stage.url}?kiosk` })
      await stage.page.waitForSelector('.qr svg')
    },
  },
  {
    name: 'kiosk-kept',
    async reach(stage) {
      await recordAndLoseNetwork({ ...stage, url: `${stage.url}?kiosk` })
      await press(stage.page)
      await untilStep(stage.page, 'review')
      await press(stage.page)
      await untilStep(stage.page, 'kept')
      await stage.page.waitForSelector('.qr svg')
    },
  },
  {
    name: 'kiosk-welcome',
    async reach(stage) {
      await stage.page.route(CHUNKS, (route) => route.abort())
      await recordAndSend({ ...stage, url: `${stage.url}?kiosk` })
      await untilStep(stage.page, 'kept')
      await press(stage.page)
      await untilStep(stage.page, 'welcome')
    },
  },
  {
    name: 'draft',
    async reach(stage) {
      await writeText(stage)
      // Longer than the page waits before it saves.
      await stage.page.waitForTimeout(800)
      await stage.page.reload()
      await untilStep(stage.page, 'resume')
    },
  },
  {
    name: 'resume',
    async reach(stage) {
      await stage.page.route(CHUNKS, (route) => route.abort())
      await record(stage, 2)
      stage.page.on('dialog', (dialog) => void dialog.accept())
      await stage.page.reload()
      await untilStep(stage.page, 'resume')
    },
  },
  {
    name: 'resume-part',
    async reach(stage) {
      await finishWithoutPart(stage)
      await stage.page.reload()
      await untilStep(stage.page, 'resume')
    },
  },
  { name: 'closed', isClosed: true, reach: (stage) => openPage(stage) },
  {
    name: 'wrong-link',
    reach: (stage) => openPage({ ...stage, url: stage.url.replace(/[^/]+$/, 'nothing-here') }),
  },
  { name: 'withdraw', reach: openReceipt },
  {
    name: 'withdrawn',
    async reach(stage) {
      await openReceipt(stage)
      await stage.page.click('.danger')
      await stage.page.waitForSelector('.danger', { state: 'detached' })
    },
  },
  {
    name: 'withdraw-invalid',
    async reach(stage) {
      await openPage(stage, '/withdraw?conversation=none#none')
      await stage.page.click('.danger')
      await stage.page.waitForSelector('.danger', { state: 'detached' })
    },
  },
]
