import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { chromium } from 'playwright-core'
import { chromiumPath } from './browser.ts'

/** A phone: a browser with its own storage, whose microphone plays a WAV file. */
export interface Phone extends AsyncDisposable {
  context: BrowserContext
  open(url: string): Promise<Page>
}

export async function newPhone(microphone: string, args: string[] = []): Promise<Phone> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-phone-'))
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: chromiumPath(),
    viewport: { width: 360, height: 740 },
    args: [
      '--no-sandbox',
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-audio-capture=${microphone}`,
      '--autoplay-policy=no-user-gesture-required',
      ...args,
    ],
  })
  // When the recorder really began, to compare with what was stored.
  await context.addInitScript(() => {
    const { start } = MediaRecorder.prototype
    MediaRecorder.prototype.start = function (...given) {
      this.addEventListener('start', () => Object.assign(window, { recordingSince: Date.now() }))
      return start.apply(this, given)
    }
  })
  return {
    context,
    async open(url) {
      const page = await context.newPage()
      page.on('pageerror', (error) => console.error('page error', error))
      await page.goto(url)
      await page.waitForSelector('h1')
      return page
    },
    async [Symbol.asyncDispose]() {
      await context.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export const stepOf = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => document.querySelector<HTMLElement>('.frame')?.dataset['step'])

export const untilStep = (page: Page, step: string): Promise<unknown> =>
  page.waitForSelector(`.frame[data-step=${step}]`)

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
