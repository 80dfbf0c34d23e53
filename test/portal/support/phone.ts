import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type LaunchOptions, type Page } from 'playwright-core'
import { atEnd } from '../../support/at-end.ts'
import { browserPath } from './browsers.ts'

export const chromiumPath = (): string => browserPath('chromium')

/** A phone: a browser with its own storage, whose microphone plays a WAV file. */
export interface Phone extends AsyncDisposable {
  context: BrowserContext
  open(url: string): Promise<Page>
}

export interface PhoneOptions {
  /** Whether the browser allows the microphone without asking. */
  allowsMicrophone?: boolean
  microphones?: number
  /** Further files of `in-page` that run before the page, to break what a phone can break. */
  scripts?: string[]
  /** Whether it stores on the disk, in a browser of its own. The others share a browser that stores in memory. */
  hasDisk?: boolean
}

/** Options of Chromium for microphones that play a WAV file. */
export const fakeMicrophone = (path: string, count = 1): string[] => [
  '--use-fake-ui-for-media-stream',
  `--use-fake-device-for-media-stream=device-count=${count}`,
  `--use-file-for-fake-audio-capture=${path}`,
  '--autoplay-policy=no-user-gesture-required',
]

const VIEW = { viewport: { width: 360, height: 740 }, locale: 'en-GB' }
/** Far longer than a step takes, also on a busy machine. */
const STEP_MS = 120_000

const shared = new Map<string, Promise<Browser>>()
atEnd(async () => {
  for (const browser of shared.values()) await (await browser).close()
})

function sharedBrowser(args: string[]): Promise<Browser> {
  const key = args.join(' ')
  const browser = shared.get(key) ?? chromium.launch(launchOptions(args))
  shared.set(key, browser)
  return browser
}

const launchOptions = (args: string[]): LaunchOptions => ({
  executablePath: chromiumPath(),
  // Chromium does not start with its sandbox as root.
  chromiumSandbox: process.getuid?.() !== 0,
  args,
})

interface Device {
  context: BrowserContext
  remove(): Promise<void>
}

async function newDevice(args: string[], hasDisk: boolean): Promise<Device> {
  if (!hasDisk) {
    const context = await (await sharedBrowser(args)).newContext(VIEW)
    return { context, remove: () => context.close() }
  }
  const folder = await mkdtemp(join(tmpdir(), 'parley-phone-'))
  const context = await chromium.launchPersistentContext(folder, { ...launchOptions(args), ...VIEW })
  const remove = async () => {
    await context.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { context, remove }
}

export async function newPhone(
  microphone: string,
  { allowsMicrophone = true, microphones = 1, scripts = [], hasDisk = false }: PhoneOptions = {},
): Promise<Phone> {
  // The first option allows the microphone without asking.
  const args = fakeMicrophone(microphone, microphones).slice(allowsMicrophone ? 0 : 1)
  const { context, remove } = await newDevice(args, hasDisk)
  context.setDefaultTimeout(STEP_MS)
  const errors: Error[] = []
  for (const script of ['recording-since.js', 'count-stored.js', ...scripts])
    await context.addInitScript({ path: join(import.meta.dirname, '../in-page', script) })
  return {
    context,
    async open(url) {
      const page = await context.newPage()
      page.on('pageerror', (error) => void errors.push(error))
      await page.goto(url)
      await page.waitForSelector('h1')
      return page
    },
    async [Symbol.asyncDispose]() {
      await remove()
      if (errors.length > 0) throw new AggregateError(errors, 'The page had an uncaught error.')
    },
  }
}

export const stepOf = (page: Page): Promise<string | undefined> =>
  page.evaluate("document.querySelector('.frame')?.dataset.step")

export const untilStep = (page: Page, step: string): Promise<unknown> =>
  page.waitForSelector(`.frame[data-step=${step}]`)

/** Presses the buttons that end and send a recording. */
export async function sendRecording(page: Page): Promise<void> {
  await page.click('.actions .primary')
  await untilStep(page, 'review')
  await page.click('.actions .primary')
}

/** Presses the button that leads on until the page records. */
export async function startRecording(page: Page): Promise<void> {
  for (;;) {
    const step = await stepOf(page)
    if (step === 'recording') return
    if (step === 'consent') await page.check('input[type=checkbox]')
    if (step === 'microphone' && (await page.locator('.level').count()) > 0) {
      await page.click('.primary')
      await untilStep(page, 'recording')
    } else {
      await page.click('.primary')
      if (step === 'microphone') await page.waitForSelector('.level')
    }
  }
}
