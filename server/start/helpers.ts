import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Logger } from '../../platform/log.ts'
import { addCounters, type MetricsSnapshot } from '../../platform/metrics.ts'
import { compileCacheVariable } from '../../platform/programs/compile-cache.ts'
import type { HelperMessage, HelperRequest } from './helper-messages.ts'

const PROGRAM = join(import.meta.dirname, 'helper-main.ts')
/** Before a helper that ended is replaced. Doubles while new ones end before they are ready. */
const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 30_000
/** If a helper does not respond in time, its latest metrics are used. */
const METRICS_LIMIT_MS = 2_000

export interface Helpers {
  /** The metrics of all helpers, including those that ended: a sum that shrinks would look like a restart of the service. */
  metrics(): Promise<MetricsSnapshot[]>
  stop(): Promise<void>
}

interface Helper {
  child: ChildProcess
  isReady: boolean
  latest: MetricsSnapshot
  /** By the id of the request. */
  waiting: Map<number, () => void>
}

/** Starts the processes that share the work of this one, and replaces those that end. Resolves when each is ready or has ended. */
export async function startHelpers(
  count: number,
  environment: NodeJS.ProcessEnv,
  log: Logger,
): Promise<Helpers> {
  const running = new Set<Helper>()
  const timers = new Set<NodeJS.Timeout>()
  let ended: Promise<MetricsSnapshot> = Promise.resolve([])
  let isStopping = false
  let lastId = 0

  async function launch(pauseMs: number): Promise<void> {
    const child = fork(PROGRAM, [], {
      env: { ...environment, ...compileCacheVariable() },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const helper: Helper = { child, isReady: false, latest: [], waiting: new Map() }
    running.add(helper)
    const ready = Promise.withResolvers<void>()
    child.on('message', (message: HelperMessage) => {
      if (message.kind === 'metrics') receive(helper, message)
      else {
        helper.isReady = true
        ready.resolve()
      }
    })
    // A request to a process that is just exiting fails; the handler of `exit` replaces it.
    child.on('error', (err) =>
      log.warn({ err, component: 'helpers' }, 'Could not reach a helper process; waiting for its exit'),
    )
    child.once('exit', (code, signal) => {
      running.delete(helper)
      ended = ended.then((counted) => addCounters([counted, helper.latest]))
      for (const resolve of helper.waiting.values()) resolve()
      ready.resolve()
      if (isStopping) return
      const waitMs = helper.isReady ? FIRST_PAUSE_MS : pauseMs
      const fields = { component: 'helpers', code, signal }
      log.error(fields, `Helper process exited; restarting it in ${waitMs / 1_000} s`)
      const timer = setTimeout(() => {
        timers.delete(timer)
        void launch(helper.isReady ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, MAX_PAUSE_MS))
      }, waitMs)
      timers.add(timer)
    })
    await ready.promise
  }

  async function ask(helper: Helper): Promise<MetricsSnapshot> {
    if (!helper.isReady || !helper.child.connected) return helper.latest
    const id = ++lastId
    await new Promise<void>((resolve) => {
      helper.waiting.set(id, resolve)
      setTimeout(resolve, METRICS_LIMIT_MS).unref()
      helper.child.send({ id } satisfies HelperRequest)
    })
    helper.waiting.delete(id)
    return helper.latest
  }

  function receive(helper: Helper, { id, metrics }: { id: number; metrics: MetricsSnapshot }): void {
    helper.latest = metrics
    helper.waiting.get(id)?.()
  }

  await Promise.all(Array.from({ length: count }, () => launch(FIRST_PAUSE_MS)))
  return {
    metrics: () => Promise.all([ended, ...Array.from(running, ask)]),
    stop: async () => {
      isStopping = true
      for (const timer of timers) clearTimeout(timer)
      await Promise.all(
        Array.from(running, async ({ child }) => {
          const exited = once(child, 'exit')
          child.kill('SIGTERM')
          await exited
        }),
      )
    },
  }
}
