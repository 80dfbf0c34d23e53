import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../../platform/log.ts'

export interface PeriodicTask {
  name: string
  /** Pause between two runs, also after a failed one. */
  everyMs: number
  /** The description of the task, in one or two sentences. */
  does: string
  /** The tables and folders that it changes. */
  changes: string
  /** Whether it ends after its first successful run. */
  once?: boolean
  /** Logged with the returned number unless that is 0. For tasks that find work only after something went wrong. */
  warning?: string
  /** Returns true while more work waits: then it runs again without a pause. */
  run(signal: AbortSignal): Promise<unknown>
}

/** Runs the tasks concurrently. `stop` waits for the runs in progress. */
export function startTasks(tasks: PeriodicTask[], log: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const running = tasks.map((task) => repeat(task, stopping.signal, log))
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

async function repeat(task: PeriodicTask, signal: AbortSignal, log: Logger): Promise<void> {
  while (!signal.aborted) {
    const result = await runOnce(task, signal, log)
    if (task.once && result !== 'failed') return
    if (result !== true) await pause(task.everyMs, undefined, { signal }).catch(() => {})
  }
}

async function runOnce(task: PeriodicTask, signal: AbortSignal, log: Logger) {
  const { name, everyMs, warning } = task
  try {
    const result = await task.run(signal)
    if (warning && result) log.warn({ component: 'background', task: name, count: result }, warning)
    return result
  } catch (err) {
    if (!signal.aborted)
      log.warn(
        { err, component: 'background', task: name },
        `Periodic task failed; retrying in ${everyMs / 1_000} s`,
      )
    return 'failed'
  }
}
