import { readFileSync } from 'node:fs'
import type { BareChromium } from './devtools.ts'

/** In megabytes. */
export interface MemoryUse {
  /** JavaScript objects of the page, after a garbage collection. */
  heap: number
  /** The processes of pages; the others stay as they are. */
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

export async function measureMemory({ send, sendToBrowser }: BareChromium): Promise<MemoryUse> {
  await send('HeapProfiler.collectGarbage')
  const { usedSize } = await send<{ usedSize: number }>('Runtime.getHeapUsage')
  const { processInfo } = await sendToBrowser<{ processInfo: { id: number; type: string }[] }>(
    'SystemInfo.getProcessInfo',
  )
  const sizes = processInfo.map(({ id, type }) => ({ type, size: anonymousSize(id) }))
  const total = (all: typeof sizes) => all.reduce((sum, { size }) => sum + size, 0)
  return {
    heap: usedSize / MB,
    page: total(sizes.filter(({ type }) => type === 'renderer')),
    browser: total(sizes),
  }
}
