import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

export function chromiumPath(): string {
  const found = [process.env['CHROMIUM_PATH'] ?? '', ...PLACES].find((path) => path !== '' && existsSync(path))
  if (!found) throw new Error('Chromium is needed: `apt-get install chromium`, or set CHROMIUM_PATH.')
  return found
}

/** Chromium whose microphone plays a WAV file. */
export const launchChromium = (microphone: string): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath(),
    args: [
      '--no-sandbox',
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-audio-capture=${microphone}`,
      '--autoplay-policy=no-user-gesture-required',
    ],
  })
