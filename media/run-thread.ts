import { Worker } from 'node:worker_threads'
import { startIdleTimeout } from '../platform/idle-timeout.ts'
import { compileCacheVariable } from '../platform/programs/compile-cache.ts'
import { CPU_LIMIT_MS, limitCpu } from './cpu-limit.ts'

/** Above what two hours of AAC need (160 MB), and little enough that a header that asks for gigabytes does no harm. */
const HEAP_MB = 320

export interface ThreadLimits {
  /** Wall time without progress. The machine can be the cause. */
  stallMs: number
  /** CPU time without progress. The bytes are the cause. */
  cpuMs?: number
  /** The thread's code; tests replace it. */
  worker: URL
}

/** Threads send any number of `progress` messages, then one `result`. */
export type ThreadMessage<Progress, Result> = { progress: Progress } | { result: Result }

/** `looping`: CPU limit reached. `threw`: the demuxer threw, or ran out of memory. `stalled`: no progress for `stallMs`. */
export type ThreadOutcome<Result> = { result: Result } | { failed: 'stalled' | 'looping' | 'threw' }

/**
 * Runs a demuxer in a worker thread, whose code calls `runTasks`. Damaged bytes can make a demuxer loop without returning to the event
 * loop: then no signal and no timer helps, but ending the thread does. Rejects with errors of the operating system (a full disk), and
 * when `signal` aborts.
 */
export async function runThread<Progress, Result>(
  task: unknown,
  { stallMs, cpuMs = CPU_LIMIT_MS, worker: code }: ThreadLimits,
  onProgress: (progress: Progress) => void = () => {},
  signal?: AbortSignal,
): Promise<ThreadOutcome<Result>> {
  signal?.throwIfAborted()
  const thread = takeThread(code)
  const { promise, resolve, reject } = Promise.withResolvers<ThreadOutcome<Result>>()
  const onAbort = () => reject(signal?.reason)
  signal?.addEventListener('abort', onAbort)
  const idle = startIdleTimeout(stallMs, () => resolve({ failed: 'stalled' }))
  const cpu = limitCpu(
    () => cpuMsOf(thread),
    () => resolve({ failed: 'looping' }),
    cpuMs,
  )
  thread.on('message', (message: ThreadMessage<Progress, Result>) => {
    idle.reset()
    cpu.progress()
    if ('result' in message) resolve(message)
    else onProgress(message.progress)
  })
  thread.on('error', (error) => (isSystemError(error) ? reject(error) : resolve({ failed: 'threw' })))
  thread.on('exit', () => resolve({ failed: 'threw' }))
  thread.postMessage(task)
  let isUsable = false
  try {
    const outcome = await promise
    isUsable = 'result' in outcome
    return outcome
  } finally {
    idle.stop()
    cpu.stop()
    signal?.removeEventListener('abort', onAbort)
    if (isUsable) keepThread(code, thread)
    else await thread.terminate()
  }
}

/** Loading its code takes a thread 0.13 s of CPU time (0.3 s without the compile cache), longer than many tasks. One that has finished its task is kept for the next. */
const KEPT_MS = 10_000
const kept = new Map<string, { thread: Worker; timer: NodeJS.Timeout }>()

function takeThread(code: URL): Worker {
  const spare = kept.get(code.href)
  if (!spare) {
    const env = compileCacheVariable()
    return new Worker(code, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB }, env })
  }
  const { thread, timer } = spare
  kept.delete(code.href)
  clearTimeout(timer)
  removeListeners(thread)
  thread.ref()
  return thread
}

function keepThread(code: URL, thread: Worker): void {
  if (kept.has(code.href)) return void thread.terminate()
  const end = () => {
    if (kept.get(code.href)?.thread === thread) kept.delete(code.href)
    void thread.terminate()
  }
  removeListeners(thread)
  thread.on('error', end).on('exit', end).unref()
  kept.set(code.href, { thread, timer: setTimeout(end, KEPT_MS).unref() })
}

/** Removes listeners by the name of their event: without a name, those of Node itself would be removed, too. */
function removeListeners(thread: Worker): void {
  for (const event of ['message', 'error', 'exit'] as const) thread.removeAllListeners(event)
}

/** Works while the thread is in a loop, too: V8 interrupts it. */
export async function cpuMsOf(thread: Worker): Promise<number> {
  const { user, system } = await thread.cpuUsage()
  return (user + system) / 1_000
}

/** A full disk, for example (`ENOSPC`). Any other error comes from a demuxer that met unexpected bytes, or ran out of memory. */
const isSystemError = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (/^E(?!RR_)/.test(String(error.code)) || error.code === 'ERR_WORKER_INIT_FAILED')
