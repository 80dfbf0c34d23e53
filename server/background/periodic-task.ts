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

/** How long a task waits for the first run of the one before it. */
const MAX_TURN_MS = 100

/** Runs the tasks concurrently. `stop` waits for the runs in progress. */
export function startTasks(tasks: PeriodicTask[], log: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const running: Promise<void>[] = []
  const starting = startInTurn(tasks, running, stopping.signal, log)
  return {
    stop: async () => {
      stopping.abort()
      await starting
      await Promise.all(running)
    },
  }
}

/** Each task starts after the first run of the one before it: started together, each would open a connection to PostgreSQL. */
async function startInTurn(
  tasks: PeriodicTask[],
  running: Promise<void>[],
  signal: AbortSignal,
  log: Logger,
): Promise<void> {
  for (const task of tasks) {
    if (signal.aborted) break
    const firstRun = runOnce(task, signal, log)
    running.push(repeat(task, firstRun, signal, log))
    await Promise.race([firstRun, pause(MAX_TURN_MS, undefined, { ref: false })])
  }
}

async function repeat(
  task: PeriodicTask,
  firstRun: Promise<unknown>,
  signal: AbortSignal,
  log: Logger,
): Promise<void> {
  let result = await firstRun
  while (!(task.once && result !== 'failed')) {
    if (result !== true) await pause(task.everyMs, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    result = await runOnce(task, signal, log)
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
