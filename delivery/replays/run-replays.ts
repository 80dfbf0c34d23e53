import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../database/database.ts'
import { runEach } from '../../platform/run-each.ts'
import { faultPoint } from '../fault-points.ts'
import { notifyDispatchers } from '../notifications.ts'
import { JOIN_TENANT, UNSENT_STATUS } from '../rules/sendable.ts'
import { insertDeliveries } from '../statements/insert-deliveries.ts'
import { execute, statement } from '../statements/statement.ts'
import { readUnsentStatus } from '../statements/unsent-status.ts'
import { forEachSelection, type Replayed, statusesOf } from './selection.ts'

/** A replay has at most so many pending deliveries, since a new event queues behind them. */
const MAX_PENDING = 50

/** Continues every running replay by one step. Returns whether one of them made progress. */
export async function runReplays(db: Db, tiers: string[]): Promise<boolean> {
  const ids = await db.selectFrom('replays').select('id').where('state', '=', 'running').execute()
  const moved = await runEach(ids, ({ id }) => inTransaction(db, (tx) => step(tx, id, tiers)))
  return moved.includes(true)
}

/** The deliveries and the position of the replay commit together, so that a crash neither skips nor repeats one. */
async function step(tx: Tx, replayId: string, tiers: string[]): Promise<boolean> {
  const replay = await lockReplay(tx, replayId)
  if (!replay) return false
  // All of its deliveries would end unsent. The originals keep their status, and can be replayed later.
  const status = await readUnsentStatus(tx, replay.webhook_id, tiers)
  if (status !== 'pending') return finishReplay(tx, replay.id, 'cancelled')
  const pending = await countPending(tx, replay)
  if (pending >= MAX_PENDING) return false
  const last = await insertNext(tx, replay, { tiers, limit: MAX_PENDING - pending })
  faultPoint('in_replay')
  if (last === undefined) return pending === 0 && finishReplay(tx, replay.id, 'done')
  await tx.updateTable('replays').set({ position: last }).where('id', '=', replay.id).execute()
  await notifyDispatchers(tx, [replay.webhook_id])
  return true
}

type ReplayRow = NonNullable<Awaited<ReturnType<typeof lockReplay>>>

/** Skips a replay that another worker has locked. */
const lockReplay = (tx: Tx, replayId: string) =>
  tx
    .selectFrom('replays')
    .innerJoin('webhooks', 'webhooks.id', 'replays.webhook_id')
    .selectAll('replays')
    .select('webhooks.project_id')
    .where('replays.id', '=', replayId)
    .where('replays.state', '=', 'running')
    .forUpdate('replays')
    .skipLocked()
    .executeTakeFirst()

/** Returns that the replay made no progress. */
export async function finishReplay(tx: Tx, id: string, state: 'done' | 'cancelled'): Promise<false> {
  await tx.updateTable('replays').set({ state, finished_at: sql`now()` }).where('id', '=', id).execute()
  return false
}

async function countPending(tx: Tx, { id }: ReplayRow): Promise<number> {
  const { count } = await tx
    .selectFrom('deliveries')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('replay_id', '=', id)
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow()
  return count
}

const insertNextOf = forEachSelection((kind, rows) =>
  statement<
    Replayed & { replayId: string; position: string | null; limit: number; tiers: string[] },
    { position: string }
  >(
    `replay_${kind}`,
    `with next as (
       select * from (${rows}) chosen
       where :position::uuid is null or position > :position::uuid
       order by position
       limit :limit
     ), made as (
       ${insertDeliveries(
         `select uuid_v7() as id, w.id as webhook_id, next.event_id, next.event_type, next.event_at, 'replay' as kind,
            w.payload, ${UNSENT_STATUS} as status, clock_timestamp() as created_at, :replayId::uuid as replay_id
          from next join webhooks w on w.id = :webhookId ${JOIN_TENANT}`,
         ['replay_id'],
       )}
       returning id, event_id
     ), superseded as (
       update deliveries d set superseded_by = made.id
       from next join made using (event_id)
       where d.webhook_id = :webhookId and d.id = next.delivery_id
     )
     select position from next order by position desc limit 1`,
  ),
)

/** Returns the position that the replay has reached, or undefined at its end. */
async function insertNext(
  tx: Tx,
  replay: ReplayRow,
  options: { tiers: string[]; limit: number },
): Promise<string | undefined> {
  const { rows } = await execute(tx, insertNextOf(replay.selection), {
    ...replay,
    webhookId: replay.webhook_id,
    projectId: replay.project_id,
    replayId: replay.id,
    statuses: statusesOf(replay.selection),
    ...options,
  })
  return rows[0]?.position
}
