import { readFileSync } from 'node:fs'
import { until } from '../../support/webhooks.ts'
import { type BidiBrowser, startFirefox } from './bidi.ts'
import { browserPath } from './browsers.ts'

/** A page in Firefox, with the few things that the tests do. */
export interface FirefoxPage {
  /** Of an expression, or of a promise that it returns. */
  evaluate<T>(expression: string): Promise<T>
  untilStep(step: string): Promise<void>
  untilText(text: string): Promise<void>
  /** Presses the main button of the screen, or the one with this text. */
  press(text?: string): Promise<void>
  /** Presses the button that leads on until the page records. */
  startRecording(): Promise<void>
}

export interface FirefoxPhone extends AsyncDisposable {
  open(url: string): Promise<FirefoxPage>
  /** Changes the browser's answer to pages that ask for the microphone. */
  allowMicrophone(isAllowed: boolean): Promise<void>
}

const ALLOW = 1
const BLOCK = 2

/**
 * Firefox has no microphone that plays a file, and no sound on a machine without a sound card. A media element does play there, and
 * what it plays can be captured as a stream, which takes the place of the microphone. All after that is the browser's own: recorder,
 * codec, storage and network. With the microphone blocked, the browser answers itself.
 */
const MICROPHONE = (wav: string) => `() => {
  const devices = navigator.mediaDevices
  const ask = devices?.getUserMedia
  if (!ask) return
  const url = URL.createObjectURL(
    new Blob([Uint8Array.from(atob("${wav}"), (sign) => sign.charCodeAt(0))], { type: 'audio/wav' }),
  )
  devices.getUserMedia = async (wanted) => {
    for (const track of (await ask.call(devices, wanted)).getTracks()) track.stop()
    const player = new Audio(url)
    player.loop = true
    const stream = player.mozCaptureStream()
    await player.play()
    window.microphone = player
    return stream
  }
  const { start } = MediaRecorder.prototype
  MediaRecorder.prototype.start = function (...given) {
    const since = window.microphone.currentTime
    window.microphone.playedSeconds = () => window.microphone.currentTime - since
    return start.apply(this, given)
  }
}`

const sleepUntil = async (holds: () => Promise<boolean>, what: string): Promise<void> => {
  const isTrue = await until(holds, Boolean, 60_000).catch(() => false)
  if (!isTrue) throw new Error(`Firefox: ${what} did not happen`)
}

function pageIn(browser: BidiBrowser, context: string): FirefoxPage {
  const page: FirefoxPage = {
    async evaluate<T>(expression: string): Promise<T> {
      const { result, exceptionDetails } = await browser.send<{
        result?: { value?: string }
        exceptionDetails?: { text: string }
      }>('script.evaluate', {
        expression: `(async () => JSON.stringify((await (${expression})) ?? null))()`,
        target: { context },
        awaitPromise: true,
        userActivation: true,
      })
      if (exceptionDetails) throw new Error(exceptionDetails.text)
      return JSON.parse(result?.value ?? 'null') as T
    },
    untilStep: (step) =>
      sleepUntil(() => page.evaluate(`document.querySelector('.frame')?.dataset.step === '${step}'`), step),
    untilText: (text) =>
      sleepUntil(() => page.evaluate(`document.body.innerText.includes(${JSON.stringify(text)})`), text),
    async press(text) {
      const find = text
        ? `[...document.querySelectorAll('button')].find((one) => one.innerText.includes(${JSON.stringify(text)}))`
        : `document.querySelector('.actions .primary')`
      await sleepUntil(
        () => page.evaluate(`${find} !== undefined && ${find} !== null`),
        text ?? 'the main button',
      )
      await page.evaluate(`${find}.click()`)
    },
    async startRecording() {
      for (;;) {
        const step = await page.evaluate<string>(`document.querySelector('.frame').dataset.step`)
        if (step === 'recording') return
        const isChecking = await page.evaluate<boolean>(`document.querySelector('.level') !== null`)
        await page.press()
        if (step === 'microphone')
          await sleepUntil(
            () =>
              page.evaluate(
                isChecking
                  ? `document.querySelector('.time') !== null`
                  : `document.querySelector('.level') !== null`,
              ),
            'the microphone',
          )
      }
    },
  }
  return page
}

export async function newFirefoxPhone(microphone: string, isAllowed = true): Promise<FirefoxPhone> {
  const browser = await startFirefox(browserPath('firefox'), {
    'permissions.default.microphone': isAllowed ? ALLOW : BLOCK,
    'media.navigator.streams.fake': true,
    'media.autoplay.default': 0,
    'media.autoplay.blocking_policy': 0,
    'intl.accept_languages': 'en-GB',
  })
  const wav = readFileSync(microphone).toString('base64')
  await browser.send('script.addPreloadScript', { functionDeclaration: MICROPHONE(wav) })
  return {
    async open(url) {
      const { context } = await browser.send<{ context: string }>('browsingContext.create', { type: 'tab' })
      await browser.send('browsingContext.navigate', { context, url, wait: 'complete' })
      const page = pageIn(browser, context)
      await sleepUntil(() => page.evaluate(`document.querySelector('h1') !== null`), 'the page')
      return page
    },
    async allowMicrophone(isNowAllowed) {
      const { contexts } = await browser.send<{ contexts: { context: string }[] }>(
        'browsingContext.getTree',
        {
          'moz:scope': 'chrome',
        },
      )
      await browser.send('script.evaluate', {
        expression: `Services.prefs.setIntPref('permissions.default.microphone', ${isNowAllowed ? ALLOW : BLOCK})`,
        target: { context: contexts[0]?.context },
        awaitPromise: false,
      })
    },
    [Symbol.asyncDispose]: () => browser[Symbol.asyncDispose](),
  }
}
