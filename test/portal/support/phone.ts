import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { browserPath } from './browsers.ts'

export const chromiumPath = (): string => browserPath('chromium')

/** A phone: a browser with its own storage, whose microphone plays a WAV file. */
export interface Phone extends AsyncDisposable {
  context: BrowserContext
  open(url: string): Promise<Page>
}

interface PhoneOptions {
  /** Whether the browser allows the microphone without asking. */
  allowsMicrophone?: boolean
  microphones?: number
  /** Further files of `in-page` that run before the page, to break what a phone can break. */
  scripts?: string[]
}

export async function newPhone(
  microphone: string,
  { allowsMicrophone = true, microphones = 1, scripts = [] }: PhoneOptions = {},
): Promise<Phone> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-phone-'))
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: chromiumPath(),
    // Chromium does not start with its sandbox as root.
    chromiumSandbox: process.getuid?.() !== 0,
    viewport: { width: 360, height: 740 },
    locale: 'en-GB',
    args: [
      ...(allowsMicrophone ? ['--use-fake-ui-for-media-stream'] : []),
      `--use-fake-device-for-media-stream=device-count=${microphones}`,
      `--use-file-for-fake-audio-capture=${microphone}`,
      '--autoplay-policy=no-user-gesture-required',
    ],
  })
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
      await context.close()
      await rm(folder, { recursive: true, force: true })
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
