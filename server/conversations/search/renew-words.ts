import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../../database/database.ts'
import { lockConversation } from '../lifecycle/lock-conversation.ts'
import { loadTranscript } from '../load-transcript.ts'
import { EDITION, indexWords } from './index-words.ts'

const BATCH = 20
/** The number itself, by which PostgreSQL knows the index for it. */
const isOutdated = sql<boolean>`tokenizer_version < ${sql.lit(EDITION)}`
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/**
 * Cuts words anew that were cut by older rules. Each call does a few and answers whether there are more. One that fails ends
 * the call; the next goes on behind it, and the next round tries it again. Any number of workers may do it at once.
 */
export function createWordRenewal(db: Db): () => Promise<boolean> {
  let last = BEFORE_ALL
  return async () => {
    const ids = await outdatedAfter(db, last)
    for (const id of ids) {
      last = id
      await inTransaction(db, (tx) => renewWords(tx, id))
    }
    if (ids.length === BATCH) return true
    last = BEFORE_ALL
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

/** Under the conversation's lock: what was deleted stays as it is until it is erased, and words never come back after that. */
async function renewWords(tx: Tx, id: string): Promise<void> {
  const row = await lockConversation(tx, id)
  if (!row || (await isRenewed(tx, id))) return
  await indexWords(tx, row, (await loadTranscript(tx, row)).text)
}

/** Another was faster. */
async function isRenewed(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('conversation_words')
    .select('tokenizer_version')
    .where('conversation_id', '=', id)
    .where(isOutdated)
    .executeTakeFirst()
  return row === undefined
}
