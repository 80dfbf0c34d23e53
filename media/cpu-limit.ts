/** CPU time without progress after which work on untrusted bytes counts as an endless loop. */
export const CPU_LIMIT_MS = 5_000

export interface CpuLimit {
  /** Restarts the count. */
  progress(): void
  stop(): void
}

const CHECK_INTERVAL_MS = 250

/**
 * Calls `onStuck` once the CPU time since the last progress exceeds the limit. CPU time, not wall time: a busy machine slows
 * healthy work down, but does not make it use more CPU, so a retry would end the same way. `usedMs` returns null where unknown.
 */
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
