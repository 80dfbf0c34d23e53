import { readFile } from 'node:fs/promises'
import type { Worker } from 'node:worker_threads'

/** CPU time after which work on bytes from outside counts as an endless loop, unless it made progress. */
export const CPU_LIMIT_MS = 5_000

export interface CpuLimit {
  /** Starts the count again. */
  progress(): void
  stop(): void
}

const CHECK_EVERY_MS = 250

/**
 * Calls `onStuck` once the CPU time since the last progress exceeds the limit. CPU time and not wall time: a busy machine slows
 * healthy work down, but does not make it use more CPU, so a retry would end the same way.
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
  const timer = setInterval(() => void check(), CHECK_EVERY_MS)
  return {
    progress: () => {
      base = null
    },
    stop: () => clearInterval(timer),
  }
}

/** Also while the thread is in a loop: V8 interrupts it for this. */
export async function cpuMsOfThread(worker: Worker): Promise<number> {
  const { user, system } = await worker.cpuUsage()
  return (user + system) / 1_000
}

/** Linux counts in hundredths of a second, whatever the kernel's own tick is. */
const TICK_MS = 10

/** Null where the system has no /proc. */
export async function cpuMsOfProcess(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  // The program's name, in brackets, may hold spaces.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields ? (Number(fields[11]) + Number(fields[12])) * TICK_MS : null
}
