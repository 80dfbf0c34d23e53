import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/database.ts'
import { enqueueSecondPass, type Lifecycle } from '../../conversations/index.ts'

/** Per run. The task runs once an hour. */
const MAX_RECOVERED = 1_000

/** Enqueues second passes again that have not advanced for an hour and have no job: a restored backup lacks it. Returns how many. */
export async function recoverStalledPasses(jobs: Lifecycle['jobs'], db: Db): Promise<number> {
  const { rows } = await sql<{ id: string; conversation_id: string; project_id: string }>`
    select p.id, p.conversation_id, c.project_id from second_passes p join conversations c on c.id = p.conversation_id
    where p.advanced_at < now() - interval '1 hour' order by p.advanced_at limit ${MAX_RECOVERED}`.execute(db)
  const ids = rows.map(({ id }) => id)
  const active = await jobs.atWork(['transcribe'], 'pass_id', ids)
  const stalled = rows.filter(({ id }) => !active.has(id))
  await inTransaction(db, async (tx) => {
    for (const { id, conversation_id, project_id } of stalled)
      await enqueueSecondPass(jobs, tx, { id: conversation_id, project_id }, id)
  })
  return stalled.length
}
