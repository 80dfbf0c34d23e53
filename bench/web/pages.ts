import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import type { Account } from '../../scripts/demo/api.ts'
import { chromiumPath } from '../../test/portal/support/phone.ts'
import { CPU_SLOWDOWN, type Network } from '../portal/open-page.ts'

const VIEWPORT = { width: 1280, height: 800 }
const SCROLL_MS = 4_000
const SCROLL_STEP = 40

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] })

export async function newSignedIn(browser: Browser, url: string, account: Account): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: VIEWPORT })
  const page = await context.newPage()
  await page.goto(url)
  await page.locator('input[name=email]').fill(account.email)
  await page.locator('input[name=password]').fill(account.password)
  await page.locator('button[type=submit]').click()
  await page.locator('input[name=password]').waitFor({ state: 'detached' })
  await page.locator('h1').waitFor()
  await page.close()
  return context
}

/** In the page: when an element that matches was drawn, and the first task after that ran. */
const watch = (selector: string): string => `
  new MutationObserver((_changes, observer) => {
    if (!document.querySelector('${selector}')) return
    observer.disconnect()
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => { document.documentElement.dataset.drawnAt = performance.now() }
      port2.postMessage(null)
    })
  }).observe(document, { childList: true, subtree: true })`

/** Milliseconds until the element is drawn and the page responds, without a cache, on a slow machine in a slow network. */
export async function timeToInteractive(
  context: BrowserContext,
  url: string,
  selector: string,
  network: Network,
): Promise<number> {
  const page = await context.newPage()
  await page.addInitScript({ content: watch(selector) })
  const tools = await context.newCDPSession(page)
  await tools.send('Network.enable')
  await tools.send('Network.setCacheDisabled', { cacheDisabled: true })
  await tools.send('Network.emulateNetworkConditions', { offline: false, ...network })
  await tools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  await page.goto(url, { waitUntil: 'commit' })
  await page.waitForSelector('[data-drawn-at]', { timeout: 60_000 })
  const at = Number(await page.locator('html').getAttribute('data-drawn-at'))
  await page.close()
  return at
}

/** The CPU time of the page's main thread so far. Unlike time, it does not depend on what else the machine does. */
export async function watchCpu(page: Page): Promise<() => Promise<number>> {
  const tools = await page.context().newCDPSession(page)
  await tools.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await tools.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000
  }
}

/** From a click on the link until a row of the list is drawn. The page has just been loaded, so only its files are cached. */
export async function timeToRows(
  page: Page,
  from: string,
  link: string,
  row: string,
  cpu: () => Promise<number>,
): Promise<{ ms: number; cpuMs: number }> {
  await page.goto(from)
  await page.locator(link).first().hover()
  await page.waitForTimeout(1_000)
  const before = await cpu()
  const ms = await page.evaluate<number>(`new Promise((resolve) => {
    const began = performance.now()
    const look = () => document.querySelector('${row}')
      ? requestAnimationFrame(() => resolve(performance.now() - began))
      : requestAnimationFrame(look)
    document.querySelector('${link}').click()
    look()
  })`)
  return { ms, cpuMs: (await cpu()) - before }
}

export interface Scrolling {
  frames_per_second: number
  p95_frame_ms: number
  longest_frame_ms: number
  main_thread_ms_per_frame: number
  scrolled_px: number
}

/** Scrolls down a bit in every frame; pages of the list are loaded as they are needed. */
export async function scroll(page: Page, cpu: () => Promise<number>): Promise<Scrolling> {
  const before = await cpu()
  const { frames, scrolled } = await page.evaluate<{
    frames: number[]
    scrolled: number
  }>(`new Promise((resolve) => {
    const frames = []
    const began = performance.now()
    let last = began
    const step = (now) => {
      frames.push(now - last)
      last = now
      scrollBy(0, ${SCROLL_STEP})
      if (now - began < ${SCROLL_MS}) requestAnimationFrame(step)
      else resolve({ frames: frames.slice(1), scrolled: scrollY })
    }
    requestAnimationFrame(step)
  })`)
  const cpuMs = (await cpu()) - before
  const sorted = frames.toSorted((a, b) => a - b)
  const total = frames.reduce((sum, ms) => sum + ms, 0)
  const tenth = (value: number) => Math.round(value * 10) / 10
  return {
    frames_per_second: tenth((frames.length / total) * 1_000),
    p95_frame_ms: tenth(sorted[Math.floor(sorted.length * 0.95)] ?? 0),
    longest_frame_ms: tenth(sorted.at(-1) ?? 0),
    main_thread_ms_per_frame: tenth(cpuMs / frames.length),
    scrolled_px: Math.round(scrolled),
  }
}
