import type { BrowserContext, Page, Route } from 'playwright-core'
import { startRecording, stepOf, untilStep } from '../support/phone.ts'

/** The page that a scene works on, and its project. */
export interface SceneContext {
  page: Page
  browserContext: BrowserContext
  /** The address of the recording page. */
  url: string
  /** Error responses of the server, printed if the test fails. */
  rejections: string[]
  /** The participant's words, as the engine would transcribe them. */
  said: string
}

/** A state of the page in which people can find themselves, and the way there. */
export interface Scene {
  name: string
  /** Whether the project takes no new recordings. */
  isClosed?: boolean
  /** Whether the page is opened without https. */
  isInsecure?: boolean
  reach(context: SceneContext): Promise<void>
}

export const press = (page: Page) => page.click('.actions .primary')

export async function openPage({ page, url }: SceneContext, query = ''): Promise<void> {
  await page.goto(`${url}${query}`)
  await page.waitForSelector('h1')
}

async function openAt(context: SceneContext, step: string): Promise<void> {
  await openPage(context)
  while ((await stepOf(context.page)) !== step) {
    if ((await stepOf(context.page)) === 'consent') await context.page.check('input[type=checkbox]')
    await press(context.page)
  }
}

/** The browser refuses the microphone as it does with an error of this name. */
export const microphoneFails = (name: string): string =>
  `navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('', '${name}') }`

const KEEP_MICROPHONE = `const ask = navigator.mediaDevices?.getUserMedia.bind(navigator.mediaDevices)
  if (ask) navigator.mediaDevices.getUserMedia = async (options) => (window.microphone = await ask(options))`

async function microphoneProblem(context: SceneContext, error: string): Promise<void> {
  await openAt(context, 'microphone')
  await context.page.evaluate(microphoneFails(error))
  await press(context.page)
  await context.page.waitForSelector('.notice')
}

export const START = '**/api/participant/projects/*/conversations'
export const CHUNKS = '**/api/participant/conversations/*/chunks/*'
export const PROGRESS = '**/api/participant/conversations/*?tail=*'

/** Chunks of one second, so that a short recording has several. */
export async function shorten(route: Route): Promise<void> {
  const response = await route.fetch()
  await route.fulfill({ response, json: { ...(await response.json()), chunk_seconds: 1 } })
}

async function record(context: SceneContext, seconds = 1.2): Promise<void> {
  await context.page.route(START, shorten)
  await openPage(context)
  await startRecording(context.page)
  await context.page.waitForTimeout(seconds * 1_000)
}

/** Goes offline during a recording of which something has arrived. */
async function recordAndLoseNetwork(context: SceneContext): Promise<void> {
  const arrived = context.page.waitForResponse(CHUNKS)
  await record(context)
  await arrived
  await context.browserContext.setOffline(true)
  await context.page.waitForTimeout(1_000)
}

async function recordAndReview(context: SceneContext, seconds?: number): Promise<void> {
  await record(context, seconds)
  await press(context.page)
  await untilStep(context.page, 'review')
}

async function recordAndSend(context: SceneContext, seconds?: number): Promise<void> {
  await recordAndReview(context, seconds)
  await press(context.page)
}

export const refuse = (status: number, code: string) => (route: Route) =>
  route.fulfill({ status, contentType: 'application/problem+json', json: { status, code } })

async function refused(context: SceneContext, status: number, code: string): Promise<void> {
  await openPage(context)
  await context.page.route(START, refuse(status, code))
  await startRecording(context.page)
  await context.page.waitForTimeout(700)
  await press(context.page)
  await untilStep(context.page, 'review')
  await press(context.page)
  await context.page.waitForSelector('.picture.warning')
}

/** Records several parts, of which the server refuses the second one. */
async function reviewWithRefusedPart(context: SceneContext): Promise<void> {
  const refusePart = refuse(415, 'unsupported_media')
  await context.page.route(CHUNKS, (route) =>
    route.request().url().endsWith('/chunks/1') ? refusePart(route) : route.continue(),
  )
  const rejection = context.page.waitForResponse((response) => response.status() === 415)
  await recordAndReview(context, 3)
  await rejection
  await context.page.waitForSelector('.trouble:not(:empty)')
}

async function finishWithoutPart(context: SceneContext): Promise<void> {
  await reviewWithRefusedPart(context)
  await press(context.page)
  await untilStep(context.page, 'thanks')
  await context.page.waitForSelector('.notice')
}

/** As after a tab that was closed, or that the phone has ended. */
async function recordAndReopen(context: SceneContext): Promise<void> {
  await context.page.route(CHUNKS, (route) => route.abort())
  await record(context, 2)
  context.page.on('dialog', (dialog) => void dialog.accept())
  await context.page.reload()
  await untilStep(context.page, 'resume')
}

/** The page as the server sends it for a link that it does not know. */
async function removeProject(route: Route): Promise<void> {
  const response = await route.fetch()
  const html = (await response.text()).replace(/(<script[^>]*id="project"[^>]*>)[^<]*/, '$1null')
  await route.fulfill({ response, body: html })
}

async function openReceipt(context: SceneContext): Promise<void> {
  await recordAndSend(context, 0.7)
  await untilStep(context.page, 'thanks')
  const link = await context.page.locator('.link a').getAttribute('href')
  // `PUBLIC_URL` and the address that the browser uses are the same here.
  await context.page.goto(String(link))
  await context.page.waitForSelector('h1')
}

async function writeText(context: SceneContext): Promise<void> {
  await openAt(context, 'microphone')
  await context.page.click('.actions .quiet')
  await untilStep(context.page, 'text')
  await context.page.fill('textarea', context.said)
}

/** Every screen, with every problem that has words of its own. */
export const SCENES: Scene[] = [
  { name: 'welcome', reach: (context) => openPage(context) },
  { name: 'consent', reach: (context) => openAt(context, 'consent') },
  {
    name: 'consent-needed',
    async reach(context) {
      await openAt(context, 'consent')
      await press(context.page)
    },
  },
  { name: 'about', reach: (context) => openAt(context, 'about') },
  { name: 'microphone', reach: (context) => openAt(context, 'microphone') },
  {
    name: 'microphone-level',
    async reach(context) {
      await openAt(context, 'microphone')
      await press(context.page)
      await context.page.waitForSelector('.level')
      await context.page.waitForTimeout(900)
    },
  },
  { name: 'microphone-blocked', reach: (context) => microphoneProblem(context, 'NotAllowedError') },
  { name: 'microphone-none', reach: (context) => microphoneProblem(context, 'NotFoundError') },
  { name: 'microphone-in-use', reach: (context) => microphoneProblem(context, 'NotReadableError') },
  {
    name: 'microphone-not-secure',
    isInsecure: true,
    async reach(context) {
      await openAt(context, 'microphone')
      await press(context.page)
      await context.page.waitForSelector('.notice')
    },
  },
  {
    name: 'recording',
    async reach(context) {
      // The engine is not part of this: the text comes at once, in the language of the page.
      await context.page.route(PROGRESS, (route) =>
        route.fulfill({ json: { transcript_so_far: context.said, transcript_truncated: false } }),
      )
      await record(context, 2)
      await context.page.getByText(context.said.slice(-20)).waitFor()
    },
  },
  {
    name: 'recording-unclear',
    async reach(context) {
      const [first = '', ...rest] = context.said.split(/(?<=\.) /)
      const said = [first, '[unclear]', ...rest.slice(0, 1)].join(' ')
      await context.page.route(PROGRESS, (route) =>
        route.fulfill({ json: { transcript_so_far: said, transcript_truncated: false } }),
      )
      await record(context, 2)
      await context.page.getByText('[…]').waitFor()
    },
  },
  {
    name: 'recording-paused',
    async reach(context) {
      await record(context)
      await context.page.click('.actions .secondary')
    },
  },
  {
    name: 'recording-lost',
    async reach(context) {
      await context.page.addInitScript(KEEP_MICROPHONE)
      await record(context)
      await context.page.evaluate(microphoneFails('NotFoundError'))
      await context.page.evaluate('window.microphone.getTracks().forEach((track) => track.stop())')
      await context.page.waitForSelector('.actions .secondary[disabled]')
    },
  },
  {
    name: 'recording-offline',
    async reach(context) {
      await recordAndLoseNetwork(context)
      await context.page.waitForSelector('.trouble:not(:empty)')
    },
  },
  {
    name: 'recording-muted',
    async reach(context) {
      await context.page.addInitScript(KEEP_MICROPHONE)
      await record(context)
      await context.page.evaluate("window.microphone.getTracks()[0].dispatchEvent(new Event('mute'))")
      await context.page.waitForSelector('.meter[data-phase=lost]')
    },
  },
  {
    name: 'recording-gap',
    async reach(context) {
      await record(context)
      // Nothing arrives from the recorder while the clock moves on, as in a page that the phone has stopped.
      await context.page.evaluate(`{
        const now = Date.now
        Date.now = () => now() + 44_000
        document.dispatchEvent(new Event('visibilitychange'))
      }`)
      await context.page.waitForSelector('.notice')
    },
  },
  {
    name: 'recording-full',
    async reach(context) {
      await context.page.addInitScript(`{
        const add = IDBObjectStore.prototype.add
        IDBObjectStore.prototype.add = function (value, ...rest) {
          if (value.bytes?.byteLength > 1) throw new DOMException('', 'QuotaExceededError')
          return add.call(this, value, ...rest)
        }
      }`)
      await record(context)
      await context.page.waitForSelector('.notice')
    },
  },
  {
    name: 'recording-in-memory',
    async reach(context) {
      await context.page.addInitScript("Object.defineProperty(window, 'indexedDB', { value: undefined })")
      await record(context)
    },
  },
  { name: 'text', reach: writeText },
  { name: 'review', reach: (context) => recordAndReview(context, 3) },
  { name: 'review-refused-part', reach: reviewWithRefusedPart },
  {
    name: 'review-delete',
    async reach(context) {
      await recordAndReview(context)
      await context.page.locator('.more .quiet').last().click()
      await context.page.waitForSelector('dialog[open]')
    },
  },
  {
    name: 'sending',
    async reach(context) {
      let passed = 0
      await context.page.route(CHUNKS, (route) => (passed++ < 2 ? route.continue() : undefined))
      await recordAndSend(context, 4)
      await context.page.waitForTimeout(300)
    },
  },
  {
    name: 'sending-offline',
    async reach(context) {
      await recordAndLoseNetwork(context)
      await press(context.page)
      await untilStep(context.page, 'review')
      await press(context.page)
      await context.page.waitForSelector('.notice')
    },
  },
  {
    name: 'sending-server-away',
    async reach(context) {
      await context.page.route(CHUNKS, refuse(503, 'not_ready'))
      await recordAndSend(context)
      await context.page.waitForSelector('.notice')
    },
  },
  { name: 'refused-limit', reach: (context) => refused(context, 409, 'limit_reached') },
  { name: 'refused-closed', reach: (context) => refused(context, 403, 'closed') },
  { name: 'refused-consent', reach: (context) => refused(context, 422, 'consent_required') },
  { name: 'refused-withdrawn', reach: (context) => refused(context, 403, 'participant_token_rejected') },
  { name: 'refused-deleted', reach: (context) => refused(context, 404, 'not_found') },
  { name: 'refused-other', reach: (context) => refused(context, 422, 'invalid_input') },
  {
    name: 'thanks',
    async reach(context) {
      await recordAndSend(context)
      await untilStep(context.page, 'thanks')
    },
  },
  { name: 'thanks-without-part', reach: finishWithoutPart },
  {
    name: 'thanks-text',
    async reach(context) {
      await writeText(context)
      await press(context.page)
      await untilStep(context.page, 'thanks')
    },
  },
  {
    name: 'kiosk',
    async reach(context) {
      const url = `${context.url}?kiosk`
      await recordAndSend({ ...context, url })
      await untilStep(context.page, 'thanks')
    },
  },
  {
    name: 'kiosk-without-part',
    async reach(context) {
      await finishWithoutPart({ ...context, url: `${context.url}?kiosk` })
      await context.page.waitForSelector('.qr svg')
    },
  },
  {
    name: 'kiosk-kept',
    async reach(context) {
      await recordAndLoseNetwork({ ...context, url: `${context.url}?kiosk` })
      await press(context.page)
      await untilStep(context.page, 'review')
      await press(context.page)
      await untilStep(context.page, 'kept')
      await context.page.waitForSelector('.qr svg')
    },
  },
  {
    name: 'kiosk-welcome',
    async reach(context) {
      await context.page.route(CHUNKS, (route) => route.abort())
      await recordAndSend({ ...context, url: `${context.url}?kiosk` })
      await untilStep(context.page, 'kept')
      await press(context.page)
      await untilStep(context.page, 'welcome')
    },
  },
  {
    name: 'kiosk-troubles',
    async reach(context) {
      await context.page.route('**/finish', refuse(409, 'limit_reached'))
      await context.page.route(CHUNKS, (route) => route.abort())
      await recordAndSend({ ...context, url: `${context.url}?kiosk` })
      await untilStep(context.page, 'kept')
      await press(context.page)
      await untilStep(context.page, 'welcome')
      const devtools = await context.browserContext.newCDPSession(context.page)
      const { origin } = new URL(context.url)
      await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' })
      await context.page.waitForSelector('.notice')
      await context.page.evaluate("dispatchEvent(new Event('online'))")
      await context.page.waitForSelector('.notice p + p')
    },
  },
  {
    name: 'left-behind',
    async reach(context) {
      await recordAndReopen(context)
      // As the server does for a project that was deleted. What a service worker fetches cannot be replaced.
      await context.page.evaluate(
        'navigator.serviceWorker.getRegistrations().then((all) => Promise.all(all.map((one) => one.unregister())))',
      )
      await context.page.route('**/p/*', removeProject)
      await context.page.route('**/api/participant/projects/*', refuse(404, 'not_found'))
      await context.page.reload()
      await context.page.waitForSelector('.card')
    },
  },
  {
    name: 'draft',
    async reach(context) {
      await writeText(context)
      // Longer than the page waits before it saves.
      await context.page.waitForTimeout(800)
      await context.page.reload()
      await untilStep(context.page, 'resume')
    },
  },
  { name: 'resume', reach: recordAndReopen },
  {
    name: 'resume-microphone',
    async reach(context) {
      await recordAndReopen(context)
      await context.page.click('.actions .secondary')
      await untilStep(context.page, 'microphone')
      await press(context.page)
      await context.page.waitForSelector('.level')
      await context.page.waitForTimeout(900)
    },
  },
  {
    name: 'resume-part',
    async reach(context) {
      await finishWithoutPart(context)
      await context.page.reload()
      await untilStep(context.page, 'resume')
    },
  },
  { name: 'closed', isClosed: true, reach: (context) => openPage(context) },
  {
    name: 'wrong-link',
    reach: (context) => openPage({ ...context, url: context.url.replace(/[^/]+$/, 'nothing-here') }),
  },
  { name: 'withdraw', reach: openReceipt },
  {
    name: 'withdrawn',
    async reach(context) {
      await openReceipt(context)
      await context.page.click('.danger')
      await context.page.waitForSelector('.danger', { state: 'detached' })
    },
  },
  {
    name: 'withdraw-invalid',
    async reach(context) {
      await openPage(context, '/withdraw?conversation=none#none')
      await context.page.click('.danger')
      await context.page.waitForSelector('.danger', { state: 'detached' })
    },
  },
]
