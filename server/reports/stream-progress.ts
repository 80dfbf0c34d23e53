import type { Db } from '../../database/database.ts'
import type { Logger } from '../../platform/log.ts'
import { createWakeSignal, type WakeSignal } from '../../platform/wake-signal.ts'
import type { EventStream } from '../api/event-stream.ts'
import type { Context } from '../auth/index.ts'
import { findReport, type ReportAccess } from './find-report.ts'

const LOOK_EVERY_MS = 500
/** A stream waits for its watcher, which wakes it; this only bounds a timer. */
const IDLE_MS = 60_000

interface Progress {
  status: string
  progress: number
  failure: string | null
}

/** Looks at the reports that streams wait for: one query for all of them, however many streams there are. */
export interface ProgressWatcher {
  follow(stream: EventStream, id: string): Promise<void>
}

interface Watch {
  id: string
  wakeSignal: WakeSignal
  /** Undefined before the first look, null when the report is gone. */
  seen: Progress | null | undefined
}

/** How far a report is, until it is ready or failed. A client that comes back gets the present state first. */
export async function streamProgress(
  context: Context<ReportAccess>,
  watcher: ProgressWatcher,
): Promise<(stream: EventStream) => Promise<void>> {
  const { id } = await findReport(context)
  return (stream) => watcher.follow(stream, id)
}

export function createProgressWatcher(db: Db, log: Logger): ProgressWatcher {
  const watches = new Set<Watch>()
  let timer: NodeJS.Timeout | null = null

  async function look(): Promise<void> {
    const looked = [...watches]
    const ids = [...new Set(looked.map(({ id }) => id))]
    const rows = await db
      .selectFrom('reports')
      .select(['id', 'status', 'progress', 'failure'])
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
      .execute()
    const found = new Map(rows.map(({ id, ...progress }) => [id, progress]))
    for (const watch of looked) {
      watch.seen = found.get(watch.id) ?? null
      watch.wakeSignal.signal()
    }
  }
  function lookSoon(afterMs: number): void {
    if (timer === null && watches.size > 0) timer = setTimeout(() => void lookNow(), afterMs)
  }
  async function lookNow(): Promise<void> {
    try {
      if (watches.size > 0) await look()
    } catch (err) {
      log.warn({ err, component: 'reports' }, 'reading the progress of reports failed; will retry')
    }
    timer = null
    lookSoon(LOOK_EVERY_MS)
  }

  return {
    async follow(stream, id) {
      const watch: Watch = { id, wakeSignal: createWakeSignal(), seen: undefined }
      stream.signal.addEventListener('abort', watch.wakeSignal.signal)
      watches.add(watch)
      lookSoon(0)
      try {
        await sendProgress(stream, watch)
      } finally {
        watches.delete(watch)
      }
    },
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
