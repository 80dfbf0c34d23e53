import { chromium, type Page } from 'playwright-core'
import { chromiumPath } from '../support/phone.ts'

export interface Shot {
  name: string
  /** In CSS pixels; the picture has twice as many. */
  width: number
  png: Buffer
}

/** How wide a picture is on a contact sheet, in pixels. */
const widthOnSheet = (width: number): number => (width < 500 ? 200 : width < 1000 ? 260 : 380)
const COLUMNS_WIDTH = 1_880
const QUALITY = 70

/** Writes WebP, which Chromium can and Playwright does not offer: a sheet of 34 screens has about 100 KB instead of 1 MB. */
export async function createSheetMaker() {
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] })
  const page = await browser.newPage()
  const image = (shot: Shot, width: number) =>
    `<img width="${width}" src="data:image/png;base64,${shot.png.toString('base64')}">`
  return {
    sheet: (shots: Shot[]): Promise<Buffer> =>
      webp(
        page,
        COLUMNS_WIDTH,
        `<style>body { margin: 0; padding: 12px; background: #8b929a; font: 13px sans-serif }
          main { display: flex; flex-wrap: wrap; gap: 14px } figure { margin: 0 } img { display: block; margin-top: 3px }</style>
        <main>${shots
          .map((shot) => `<figure>${shot.name}${image(shot, widthOnSheet(shot.width))}</figure>`)
          .join('')}</main>`,
      ),
    single: (shot: Shot): Promise<Buffer> => {
      const width = shot.width * (shot.width < 500 ? 2 : 1)
      return webp(
        page,
        width,
        `<style>body { margin: 0 } img { display: block }</style>${image(shot, width)}`,
      )
    },
    close: () => browser.close(),
  }
}

async function webp(page: Page, width: number, html: string): Promise<Buffer> {
  await page.setViewportSize({ width, height: 100 })
  await page.setContent(html)
  const height = await page.evaluate<number>('document.documentElement.scrollHeight')
  await page.setViewportSize({ width, height })
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY })
  await session.detach()
  return Buffer.from(data, 'base64')
}
