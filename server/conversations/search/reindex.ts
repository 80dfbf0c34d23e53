import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../../database/database.ts'
import { lockConversation } from '../find-conversation.ts'
import { indexTranscript, TOKENIZER_VERSION } from './index-words.ts'

const BATCH_SIZE = 20
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Reindexes conversations that were indexed by an older version of the rules. Each call does one batch and returns whether there
 * are more. An error ends the call; the next call continues after that conversation, and the next round retries it. Workers can run
 * it in parallel.
 */
export function createReindexing(db: Db): () => Promise<boolean> {
  let last = FIRST_ID
  return async () => {
    const batch = await outdated(db)
      .where('conversation_id', '>', last)
      .orderBy('conversation_id')
      .limit(BATCH_SIZE)
      .execute()
    for (const { conversation_id } of batch) {
      last = conversation_id
      await inTransaction(db, (tx) => reindex(tx, conversation_id))
    }
    if (batch.length === BATCH_SIZE) return true
    last = FIRST_ID
    return false
  }
}

/** Locks the conversation: a deleted one must not get words after it was erased. Another worker can have reindexed it. */
async function reindex(tx: Tx, id: string): Promise<void> {
  const row = await lockConversation(tx, id)
  if (row && (await outdated(tx).where('conversation_id', '=', id).executeTakeFirst()))
    await indexTranscript(tx, row)
}

/** The version is a literal, so that PostgreSQL can use the partial index. */
const outdated = (db: Db | Tx) =>
  db
    .selectFrom('conversation_words')
    .select('conversation_id')
    .where(sql<boolean>`tokenizer_version < ${sql.lit(TOKENIZER_VERSION)}`)
