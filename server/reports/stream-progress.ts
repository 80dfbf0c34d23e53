import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../access/index.ts'
import type { Db } from '../kernel/database.ts'
import type { EventStream } from '../kernel/event-stream.ts'
import { findReport, type ReportAccess } from './find-report.ts'

const LOOK_EVERY_MS = 500

/** How far a report is, until it is ready or failed. A client that comes back gets the present state first. */
export async function streamProgress(
  context: Context<ReportAccess>,
): Promise<(stream: EventStream) => Promise<void>> {
  const { id } = await findReport(context)
  return (stream) => follow(context.db, id, stream)
}

async function follow(db: Db, id: string, stream: EventStream): Promise<void> {
  let told = ''
  while (!stream.signal.aborted) {
    const row = await db
      .selectFrom('reports')
      .select(['status', 'progress', 'failure'])
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!row) return
    const data = JSON.stringify(row)
    if (data !== told) await stream.send({ id: String(row.progress), type: 'progress', data })
    told = data
    if (row.status === 'ready' || row.status === 'failed') return
    await pause(LOOK_EVERY_MS, undefined, { signal: stream.signal })
  }
}
