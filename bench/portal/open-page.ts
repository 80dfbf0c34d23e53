import type { CDPSession } from 'playwright-core'
import { newPhone } from '../../test/portal/support/phone.ts'

/** A network as the tools of Chromium describe it: latency per request, and bytes per second. */
export interface Network {
  latency: number
  downloadThroughput: number
  uploadThroughput: number
}

const kilobits = (count: number): number => (count * 1_024) / 8

/** "Slow 4G" as Lighthouse defines it: a round trip of 150 ms. The preset of the developer tools adds 562 ms to each request instead. */
export const NETWORKS = {
  slow_4g: { latency: 150, downloadThroughput: kilobits(1_638.4), uploadThroughput: kilobits(750) },
  devtools_slow_4g: { latency: 562.5, downloadThroughput: kilobits(1_440), uploadThroughput: kilobits(675) },
} satisfies Record<string, Network>

export const CPU_SLOWDOWN = 4

export interface OpenedPage {
  /** Until the button that leads on was drawn and the page had no other work. */
  interactiveMs: number
  firstPaintMs: number
  /** The bytes of everything that was loaded until then, with headers. */
  bytes: number
  requests: number
  /** Whether a tap at that moment led on. */
  responded: boolean
}

/** In the page: when the button was drawn, and the first task after that ran. */
const WATCH_BUTTON = `
  new MutationObserver((_changes, observer) => {
    if (!document.querySelector('.actions .primary')) return
    observer.disconnect()
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => { document.documentElement.dataset.interactiveAt = performance.now() }
      port2.postMessage(null)
    })
  }).observe(document, { childList: true, subtree: true })
`

/** Opens the page as on a phone that never saw it. */
export async function openPage(url: string, microphone: string, network: Network): Promise<OpenedPage> {
  await using phone = await newPhone(microphone)
  await phone.context.addInitScript({ content: WATCH_BUTTON })
  const page = await phone.context.newPage()
  const tools = await phone.context.newCDPSession(page)
  const loaded = countBytes(tools)
  await tools.send('Network.enable')
  await tools.send('Network.emulateNetworkConditions', { offline: false, ...network })
  await tools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  await page.goto(url, { waitUntil: 'commit' })
  await page.waitForSelector('[data-interactive-at]')
  const { bytes, requests } = loaded()
  await page.click('.actions .primary')
  const responded = await page.waitForSelector('.frame:not([data-step=welcome])').then(
    () => true,
    () => false,
  )
  const firstPaintMs = await page.evaluate<number>(
    "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0",
  )
  const interactiveMs = Number(await page.locator('html').getAttribute('data-interactive-at'))
  return { interactiveMs, firstPaintMs, bytes, requests, responded }
}

function countBytes(tools: CDPSession): () => { bytes: number; requests: number } {
  let [bytes, requests] = [0, 0]
  tools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
    requests += 1
  })
  return () => ({ bytes, requests })
}
