import { readFileSync } from 'node:fs'
import { until } from '../../support/webhooks.ts'
import { type BidiBrowser, startFirefox } from './bidi.ts'
import { browserPath } from './browsers.ts'
import { type ScriptedPage, scriptedPage } from './scripted-page.ts'

export interface FirefoxPhone extends AsyncDisposable {
  open(url: string): Promise<ScriptedPage>
  /** Changes the browser's answer to pages that ask for the microphone. */
  allowMicrophone(isAllowed: boolean): Promise<void>
  /** Kills the processes of all pages. Resolves with how many seconds that took. */
  killPages(): Promise<number>
}

const ALLOW = 1
const BLOCK = 2

/**
 * Firefox has no microphone that plays a file, and no sound on a machine without a sound card. A media element does play there, and
 * what it plays can be captured as a stream, which takes the place of the microphone. All after that is the browser's own: recorder,
 * codec, storage and network. With the microphone blocked, the browser decides without asking.
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

const pageIn = (browser: BidiBrowser, context: string): ScriptedPage =>
  scriptedPage(async (expression) => {
    const { result, exceptionDetails } = await browser.send<{
      result?: { value?: string }
      exceptionDetails?: { text: string }
    }>('script.evaluate', { expression, target: { context }, awaitPromise: true, userActivation: true })
    if (exceptionDetails) throw new Error(exceptionDetails.text)
    return result?.value ?? 'null'
  })

interface FirefoxOptions {
  /** How much pages can store. */
  storageKilobytes?: number
}

export async function newFirefoxPhone(
  microphone: string,
  { storageKilobytes }: FirefoxOptions = {},
): Promise<FirefoxPhone> {
  const browser = await startFirefox(browserPath('firefox'), {
    'permissions.default.microphone': ALLOW,
    'media.navigator.streams.fake': true,
    'media.autoplay.default': 0,
    'media.autoplay.blocking_policy': 0,
    'intl.accept_languages': 'en-GB',
    ...(storageKilobytes && { 'dom.quotaManager.temporaryStorage.fixedLimit': storageKilobytes }),
  })
  const wav = readFileSync(microphone).toString('base64')
  await browser.send('script.addPreloadScript', { functionDeclaration: MICROPHONE(wav) })
  /** Evaluates an expression in the browser itself, which can do what pages cannot. */
  const evaluateInBrowser = async (expression: string): Promise<string> => {
    const { contexts } = await browser.send<{ contexts: { context: string }[] }>('browsingContext.getTree', {
      'moz:scope': 'chrome',
    })
    const { result } = await browser.send<{ result: { value?: string } }>('script.evaluate', {
      expression,
      target: { context: contexts[0]?.context },
      awaitPromise: true,
    })
    return result.value ?? ''
  }
  return {
    async open(url) {
      // A window, because pages in tabs behind others are hidden.
      const { context } = await browser.send<{ context: string }>('browsingContext.create', {
        type: 'window',
      })
      await browser.send('browsingContext.navigate', { context, url, wait: 'complete' })
      const page = pageIn(browser, context)
      await until(() => page.evaluate<boolean>(`document.querySelector('h1') !== null`), Boolean)
      return page
    },
    async allowMicrophone(isAllowed) {
      const value = isAllowed ? ALLOW : BLOCK
      await evaluateInBrowser(`Services.prefs.setIntPref('permissions.default.microphone', ${value})`)
    },
    async killPages() {
      const began = Date.now()
      const pids = await evaluateInBrowser(
        `ChromeUtils.requestProcInfo().then(({ children }) =>
          children.filter(({ type }) => type.startsWith('web')).map(({ pid }) => pid).join())`,
      )
      for (const pid of pids.split(',').filter(Boolean)) process.kill(Number(pid), 'SIGKILL')
      return (Date.now() - began) / 1_000
    },
    [Symbol.asyncDispose]: () => browser[Symbol.asyncDispose](),
  }
}
