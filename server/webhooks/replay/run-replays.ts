import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../../database/database.ts'
import { faultPoint } from '../../../platform/fault-points.ts'
import { runEach } from '../../../platform/run-each.ts'
import { DELIVERY_HOURS } from '../events/emit.ts'
import { wakeLanes } from '../wake.ts'
import { selectionOf } from './start-replay.ts'

/** Replayed deliveries that wait at a time: a live event queues behind these at most. */
const AHEAD = 50

/** Carries every running replay a step further. Answers whether one of them moved. */
export async function runReplays(db: Db): Promise<boolean> {
  const ids = await db.selectFrom('replays').select('id').where('state', '=', 'running').execute()
  const moved = await runEach(ids, ({ id }) => inTransaction(db, (tx) => step(tx, id)))
  return moved.includes(true)
}

/** The deliveries and how far the replay got commit together, so that a crash neither skips nor repeats one. */
async function step(tx: Tx, replayId: string): Promise<boolean> {
  const replay = await lockReplay(tx, replayId)
  if (!replay) return false
  if (!replay.enabled) return finish(tx, replay, 'cancelled')
  const pending = await pendingOf(tx, replay)
  if (pending >= AHEAD) return false
  const made = await makeDeliveries(tx, replay, AHEAD - pending)
  faultPoint('in_replay')
  const last = made.at(-1)
  if (last === undefined) return pending === 0 && finish(tx, replay, 'done')
  await tx.updateTable('replays').set({ position: last }).where('id', '=', replay.id).execute()
  await wakeLanes(tx, [replay.webhook_id])
  return true
}

type ReplayRow = NonNullable<Awaited<ReturnType<typeof lockReplay>>>

/** Skipped when another worker is at it. */
const lockReplay = (tx: Tx, replayId: string) =>
  tx
    .selectFrom('replays')
    .innerJoin('webhooks', 'webhooks.id', 'replays.webhook_id')
    .selectAll('replays')
    .select(['webhooks.project_id', 'webhooks.enabled'])
    .where('replays.id', '=', replayId)
    .where('replays.state', '=', 'running')
    .forUpdate('replays')
    .skipLocked()
    .executeTakeFirst()

async function finish(tx: Tx, { id }: ReplayRow, state: 'done' | 'cancelled'): Promise<false> {
  await tx.updateTable('replays').set({ state, finished_at: sql`now()` }).where('id', '=', id).execute()
  return false
}

async function pendingOf(tx: Tx, { id }: ReplayRow): Promise<number> {
  const { count } = await tx
    .selectFrom('deliveries')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('replay_id', '=', id)
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow()
  return count
}

async function makeDeliveries(tx: Tx, replay: ReplayRow, most: number): Promise<string[]> {
  const webhook = { id: replay.webhook_id, project_id: replay.project_id }
  const chosen = selectionOf({ ...replay, only: replay.selection, webhook })
  const { rows } = await sql<{ position: string }>`
    with next as (
      select * from (${chosen}) chosen
      where ${replay.position}::uuid is null or position > ${replay.position}
      order by position
      limit ${most}
    ), made as (
      insert into deliveries
        (id, webhook_id, event_id, event_type, event_at, kind, payload, status, created_at, due_at, expires_at, replay_id)
      select uuid_v7(), w.id, next.event_id, next.event_type, next.event_at, 'replay', w.payload, 'pending',
        clock_timestamp(), clock_timestamp(), now() + make_interval(hours => ${DELIVERY_HOURS}), ${replay.id}
      from next join webhooks w on w.id = ${webhook.id}
      returning id, event_id
    ), superseded as (
      update deliveries d set superseded_by = made.id
      from next join made using (event_id)
      where d.webhook_id = ${webhook.id} and d.id = next.delivery_id
    )
    select position from next order by position`.execute(tx)
  return rows.map(({ position }) => position)
}
