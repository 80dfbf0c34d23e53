import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kernel/database.ts'

/** Of a project's newest conversations so many are looked at to tell whether words are frequent: a look takes 35 µs. */
const SAMPLE = 100
/** If so many of them hold the words, a page of 50 is found by looking at 1,000. */
const FREQUENT = 5
/** So many can be taken from the index and put in order. */
const RARE = 10_000

/**
 * The condition by which a list, newest first, finds conversations that hold words. What is frequent is found soonest by
 * looking at one conversation after the other; the index would put together all that there are (0.1 s of 100,000). What is rare
 * is found by the index, and looking would take seconds.
 */
export async function newestWithWords(
  db: Db,
  projectId: string,
  words: string,
): Promise<RawBuilder<boolean>> {
  const looks = holdsWords('conversations.id', words)
  if (await areFrequent(db, projectId, words)) return looks
  const matches = sql`conversations_with_words(${words}::tsquery, ${RARE + 1})`
  const counted = await sql<{ count: number }>`select count(*)::integer as count from ${matches}`.execute(db)
  const isRare = (counted.rows[0]?.count ?? 0) <= RARE
  return isRare ? sql<boolean>`id = any(array(select ${matches}))` : looks
}

async function areFrequent(db: Db, projectId: string, words: string): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select id from conversations where project_id = ${projectId} and deleted_at is null order by id desc limit ${SAMPLE}
    ) newest where ${holdsWords('newest.id', words)}`.execute(db)
  return (rows[0]?.count ?? 0) >= FREQUENT
}

/** A question for each row, which PostgreSQL can't turn into a join: so it is asked in the list's order, and no more than needed. */
const holdsWords = (id: string, words: string): RawBuilder<boolean> =>
  sql<boolean>`(select w.words @@ ${words}::tsquery from conversation_words w where w.conversation_id = ${sql.ref(id)})`
