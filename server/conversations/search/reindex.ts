import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../../database/database.ts'
import { lockConversation } from '../lifecycle/lock-conversation.ts'
import { loadTranscript } from '../transcript/load-transcript.ts'
import { EDITION, indexWords } from './index-words.ts'

const BATCH = 20
/** A literal number, so that PostgreSQL can use the partial index. */
const isOutdated = sql<boolean>`tokenizer_version < ${sql.lit(EDITION)}`
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Reindexes conversations that an older edition of the rules indexed. Each call does one batch and returns whether there are
 * more. An error ends the call; the next call continues after it, and the next round retries it. Workers can run it in parallel.
 */
export function createReindexing(db: Db): () => Promise<boolean> {
  let last = FIRST_ID
  return async () => {
    const ids = await outdatedAfter(db, last)
    for (const id of ids) {
      last = id
      await inTransaction(db, (tx) => reindex(tx, id))
    }
    if (ids.length === BATCH) return true
    last = FIRST_ID
    return false
  }
}

async function outdatedAfter(db: Db, last: string): Promise<string[]> {
  const rows = await db
    .selectFrom('conversation_words')
    .select('conversation_id')
    .where(isOutdated)
    .where('conversation_id', '>', last)
    .orderBy('conversation_id')
    .limit(BATCH)
    .execute()
  return rows.map(({ conversation_id }) => conversation_id)
}

/** Locks the conversation: a deleted one must not get words after it was erased. */
async function reindex(tx: Tx, id: string): Promise<void> {
  const row = await lockConversation(tx, id)
  if (!row || (await isCurrent(tx, id))) return
  await indexWords(tx, row, (await loadTranscript(tx, row)).text)
}

/** Another worker has reindexed it. */
async function isCurrent(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('conversation_words')
    .select('tokenizer_version')
    .where('conversation_id', '=', id)
    .where(isOutdated)
    .executeTakeFirst()
  return row === undefined
}
