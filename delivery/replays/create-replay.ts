import type { Tx } from '../../database/database.ts'
import { newId } from '../../platform/ids.ts'
import { execute, statement } from '../statements/statement.ts'
import { forEachSelection, type Replayed, type ReplaySelection, statusesOf } from './selection.ts'

type NewReplay = Omit<Replayed, 'statuses'> & { selection: ReplaySelection }

const insertStatementFor = forEachSelection((kind, rows) =>
  statement<Replayed & { id: string; selection: string }>(
    `create_replay_${kind}`,
    `insert into replays (id, webhook_id, selection, events, since, until, total)
     select :id::uuid, :webhookId::uuid, :selection::text, :events::text[], :since::timestamptz, :until::timestamptz,
       (select count(*) from (${rows}) chosen)`,
  ),
)

/** Stores the replay and returns its id. `runReplays` sends its deliveries. */
export async function createReplay(tx: Tx, replay: NewReplay): Promise<string> {
  const id = newId()
  const { selection } = replay
  await execute(tx, insertStatementFor(selection), { ...replay, id, statuses: statusesOf(selection) })
  return id
}
