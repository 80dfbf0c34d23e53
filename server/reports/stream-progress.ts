import type { Db } from '../../database/database.ts'
import type { Logger } from '../../platform/log.ts'
import { createWakeSignal, type WakeSignal } from '../../platform/wake-signal.ts'
import type { EventStream } from '../api/event-stream.ts'

const POLL_INTERVAL_MS = 500
/** The watcher wakes a waiting stream; this only bounds the timer. */
const IDLE_MS = 60_000

interface Watch {
  id: string
  wakeSignal: WakeSignal
  /** Undefined before the first poll, null when the report was deleted. */
  seen: { status: string; progress: number; failure: string | null } | null | undefined
}

/**
 * Sends the progress of a report until it is ready or failed; a reconnecting client gets the current state first. One query polls
 * the reports of all open streams.
 */
export function createProgressWatcher(
  db: Db,
  log: Logger,
): (stream: EventStream, id: string) => Promise<void> {
  const watches = new Set<Watch>()
  let timer: NodeJS.Timeout | null = null

  async function poll(): Promise<void> {
    const polled = [...watches]
    const ids = [...new Set(polled.map(({ id }) => id))]
    const rows = await db
      .selectFrom('reports')
      .select(['id', 'status', 'progress', 'failure'])
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
      .execute()
    const found = new Map(rows.map(({ id, ...progress }) => [id, progress]))
    for (const watch of polled) {
      watch.seen = found.get(watch.id) ?? null
      watch.wakeSignal.signal()
    }
  }
  function schedulePoll(afterMs: number): void {
    if (timer === null && watches.size > 0) timer = setTimeout(() => void pollNow(), afterMs)
  }
  async function pollNow(): Promise<void> {
    try {
      if (watches.size > 0) await poll()
    } catch (err) {
      log.warn({ err, component: 'reports' }, 'Reading the progress of reports failed; retrying in 500 ms')
    }
    timer = null
    schedulePoll(POLL_INTERVAL_MS)
  }

  return async (stream, id) => {
    const watch: Watch = { id, wakeSignal: createWakeSignal(), seen: undefined }
    stream.signal.addEventListener('abort', watch.wakeSignal.signal)
    watches.add(watch)
    schedulePoll(0)
    try {
      await sendProgress(stream, watch)
    } finally {
      watches.delete(watch)
    }
  }
}

async function sendProgress(stream: EventStream, watch: Watch): Promise<void> {
  let sent = ''
  while (!stream.signal.aborted) {
    const { seen } = watch
    if (seen === null) return
    const data = JSON.stringify(seen)
    if (seen && data !== sent) {
      await stream.send({ id: String(seen.progress), type: 'progress', data })
      sent = data
    }
    if (seen?.status === 'ready' || seen?.status === 'failed') return
    await watch.wakeSignal.wait(IDLE_MS)
  }
}
