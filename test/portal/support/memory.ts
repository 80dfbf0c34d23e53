import { readFileSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'

/** In megabytes. */
export interface MemoryUse {
  /** JavaScript objects of the page, after a garbage collection. */
  heap: number
  /** The process of the page. */
  page: number
  /** All processes of the browser. */
  browser: number
}

const MB = 1_048_576

/** Without files that are mapped, whose share changes when another browser starts. */
function anonymousSize(pid: number): number {
  try {
    const [, kilobytes = '0'] =
      /^Anonymous:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
    return Number(kilobytes) / 1_024
  } catch {
    // A process that has ended since.
    return 0
  }
}

/** Measures the memory of a page in Chromium each time the returned function is called. */
export async function memoryMeter(context: BrowserContext, page: Page): Promise<() => Promise<MemoryUse>> {
  const browser = context.browser()
  if (!browser) throw new Error('The browser is gone.')
  const [ofPage, ofBrowser] = [await context.newCDPSession(page), await browser.newBrowserCDPSession()]
  await ofPage.send('Performance.enable')
  return async () => {
    await ofPage.send('HeapProfiler.collectGarbage')
    const { metrics } = await ofPage.send('Performance.getMetrics')
    const { processInfo } = await ofBrowser.send('SystemInfo.getProcessInfo')
    const sizes = processInfo.map(({ id, type }) => ({ type, size: anonymousSize(id) }))
    const pages = sizes.filter(({ type }) => type === 'renderer').map(({ size }) => size)
    return {
      heap: (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN) / MB,
      page: Math.max(...pages),
      browser: sizes.reduce((sum, { size }) => sum + size, 0),
    }
  }
}
