import { type ProcessUsage, usageOf } from './process-usage.ts'

/** CPU time without progress after which work on untrusted bytes counts as an endless loop. */
export const CPU_LIMIT_MS = 5_000

export interface CpuLimit {
  /** Restarts the count. */
  progress(): void
  stop(): void
}

const CHECK_INTERVAL_MS = 250

/** A busy machine does not make healthy work use more CPU time, so a retry would end the same way. `usedMs` returns null where unknown. */
export function limitCpu(
  usedMs: () => Promise<number | null>,
  onStuck: () => void,
  limitMs: number,
): CpuLimit {
  let base: number | null = null
  let isReading = false
  const check = async (): Promise<void> => {
    if (isReading) return
    isReading = true
    const used = await usedMs().catch(() => null)
    isReading = false
    if (used === null) return
    base ??= used
    if (used - base < limitMs) return
    clearInterval(timer)
    onStuck()
  }
  const timer = setInterval(() => void check(), CHECK_INTERVAL_MS)
  return {
    progress: () => {
      base = null
    },
    stop: () => clearInterval(timer),
  }
}

/** For a process whose progress is a number that grows, such as the bytes that it has read or written. */
export function limitProcessCpu(
  pid: number | undefined,
  progressOf: (usage: ProcessUsage) => number | Promise<number>,
  onStuck: () => void,
  limitMs: number,
): CpuLimit {
  let last = 0
  const usedMs = async (): Promise<number | null> => {
    const usage = pid === undefined ? null : await usageOf(pid)
    if (usage === null) return null
    const progress = await progressOf(usage)
    if (progress > last) limit.progress()
    last = progress
    return usage.cpuMs
  }
  const limit = limitCpu(usedMs, onStuck, limitMs)
  return limit
}
