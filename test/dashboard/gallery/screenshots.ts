import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { type Demo, startDemo } from '../../../scripts/demo/start-demo.ts'
import { openTerminal } from '../../../scripts/demo/terminal.ts'
import { createSheetMaker, type Shot } from '../../portal/gallery/sheets.ts'
import { chromiumPath } from '../../portal/support/phone.ts'
import { SCREENS, type Screen } from './screens.ts'

/**
 * `npm run docs:screenshots:dashboard [-- screen…]`: pictures of every screen, with the data of the demo, into docs/images/dashboard:
 * each one at both widths, and contact sheets by width and theme. Each run makes a new demo: the log of one that was
 * used before begins with entries of that run. `DEMO_DIR` is a folder in which the demos are kept, and `SHOTS` one that gets each
 * picture in its full size.
 */
const OUT = join(import.meta.dirname, '../../../docs/images/dashboard')
const FULL = process.env['SHOTS']
const KEPT = process.env['DEMO_DIR']
const HEIGHTS = { 390: 844, 1280: 800 }

const VIEWS = ([390, 1280] as const).flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
)
const viewName = ({ width, colorScheme }: (typeof VIEWS)[number]): string => `${width}-${colorScheme}`

/** Pictures that the documents show, in light. The others are on the contact sheets. */
const SHOWN = new Set([
  'home',
  'project',
  'conversations',
  'conversation',
  'conversation-text',
  'report',
  'webhooks',
  'webhook',
  'webhook-failing',
  'delivery-failed',
  'workspace-members',
  'staff-webhooks',
])

const given = process.argv.slice(2)
const screens = SCREENS.filter(({ name }) => given.length === 0 || given.includes(name))
await mkdir(OUT, { recursive: true })
if (FULL) await mkdir(FULL, { recursive: true })
if (KEPT) await mkdir(KEPT, { recursive: true })
const folder = await mkdtemp(join(KEPT ?? tmpdir(), 'parley-gallery-'))
const terminal = openTerminal(process.stdout)
const ports = { PORT: '0', IDENTITY_PORT: '0', METRICS_PORT: '0' }
const demo = await startDemo({ folder, terminal, environment: { PATH: process.env['PATH'], ...ports } })
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] })
const sheets = new Map<string, Shot[]>()
try {
  await terminal.step('Waiting for the transcripts', () => demo.untilTranscribed())
  await terminal.step(`Taking pictures of ${screens.length} screens`, async (progress) => {
    const contexts = new Map<string, Promise<BrowserContext>>()
    for (const [index, screen] of screens.entries()) {
      const who = screen.as === undefined ? 'host' : (screen.as ?? 'visitor')
      const context = contexts.get(who) ?? openContext(demo, screen.as === undefined ? 'host' : screen.as)
      contexts.set(who, context)
      for (const [name, shot] of await shoot(await context, screen))
        sheets.set(name, [...(sheets.get(name) ?? []), shot])
      progress(index + 1, screens.length)
    }
  })
  const maker = await createSheetMaker()
  for (const [name, shots] of sheets) {
    // A part of the screens would make an incomplete sheet.
    if (given.length === 0) await writeFile(join(OUT, `sheet-${name}.webp`), await maker.sheet(shots))
    for (const shot of shots)
      if (SHOWN.has(shot.name) && name.endsWith('light'))
        await writeFile(join(OUT, `${shot.name}-${shot.width}.webp`), await maker.single(shot))
  }
  await maker.close()
} finally {
  await browser.close()
  await demo.stop()
  if (!KEPT) await rm(folder, { recursive: true, force: true })
}

async function openContext({ url, host, staff }: Demo, as: 'host' | 'staff' | null): Promise<BrowserContext> {
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Europe/Amsterdam',
    reducedMotion: 'reduce',
    deviceScaleFactor: 2,
  })
  context.setDefaultTimeout(60_000)
  if (as === null) return context
  const page = await context.newPage()
  const { email, password } = as === 'host' ? host : staff
  await page.goto(url)
  await page.locator('input[name=email]').fill(email)
  await page.locator('input[name=password]').fill(password)
  await page.locator('button[type=submit]').click()
  await page.locator('input[name=password]').waitFor({ state: 'detached' })
  await page.close()
  return context
}

async function shoot(context: BrowserContext, screen: Screen): Promise<[string, Shot][]> {
  const page = await context.newPage()
  const { name, path, reach } = screen
  const shots: [string, Shot][] = []
  // At both widths from the start: some parts are laid out only once.
  for (const width of [390, 1280] as const) {
    await page.setViewportSize({ width, height: HEIGHTS[width] })
    await page.goto(`${demo.url}${typeof path === 'string' ? path : await path(demo)}`)
    await settle(page)
    await reach?.(page, demo)
    for (const view of VIEWS.filter((one) => one.width === width)) {
      await page.emulateMedia({ colorScheme: view.colorScheme, reducedMotion: 'reduce' })
      await settle(page)
      const png = await page.screenshot()
      shots.push([viewName(view), { name, width, png }])
      if (FULL) await writeFile(join(FULL, `${name}-${viewName(view)}.png`), png)
    }
  }
  await page.close()
  return shots
}

/** The heading is there, and nothing is being loaded. Streams stay open, so the network is never idle. */
async function settle(page: Page): Promise<void> {
  await page.locator('h1, button[type=submit]').first().waitFor()
  await page.waitForTimeout(300)
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' })
  await page.waitForTimeout(300)
}
