import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/database.ts'
import { beginning, wordQuery } from './word-query.ts'

/** The newest conversations that are checked to find out whether words are frequent: one takes 35 µs. */
const SAMPLE = 100
/** If so many of them hold the words, a page of 50 is found by looking at 1,000. */
const FREQUENT = 5
/** A word that so many of them hold does not narrow a search down. */
const COMMON = SAMPLE / 2
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
  words: string[],
): Promise<RawBuilder<boolean>> {
  const looks = holdsWords('conversations.id', wordQuery(projectId, words))
  if (await areFrequent(db, projectId, words)) return looks
  const narrowing = await narrowingOf(db, projectId, words)
  const matches = sql`conversations_with_words(${wordQuery(projectId, narrowing)}::tsquery, ${RARE + 1})`
  const counted = await sql<{ count: number }>`select count(*)::integer as count from ${matches}`.execute(db)
  if ((counted.rows[0]?.count ?? 0) > RARE) return looks
  const matching = sql<boolean>`id = any(array(select ${matches}))`
  return narrowing.length === words.length ? matching : sql<boolean>`(${matching} and ${looks})`
}

async function areFrequent(db: Db, projectId: string, words: string[]): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${newest(projectId)} newest
    where ${holdsWords('newest.id', wordQuery(projectId, words))}`.execute(db)
  return (rows[0]?.count ?? 0) >= FREQUENT
}

/**
 * Those of several words that the index is asked for: all that "the" or the beginning "b" would bring it to put together takes
 * longer (0.1 s of 100,000) than to look for them in the few that hold the other words.
 */
async function narrowingOf(db: Db, projectId: string, words: string[]): Promise<string[]> {
  if (words.length === 1) return words
  // What is packed is unpacked once for all words, by adding nothing to it.
  const { rows } = await sql<{ word: string; count: number }>`
    select word, count(*)::integer as count
    from ${newest(projectId)} newest
    join conversation_words w on w.conversation_id = newest.id
    cross join lateral (select w.words || ''::tsvector as words offset 0) unpacked
    join unnest(${words}::text[], ${words.map(beginning)}::text[]) as asked (word, query)
      on unpacked.words @@ asked.query::tsquery
    group by word`.execute(db)
  const common = new Set(rows.filter(({ count }) => count >= COMMON).map(({ word }) => word))
  const narrowing = words.filter((word) => !common.has(word))
  return narrowing.length === 0 ? words : narrowing
}

const newest = (projectId: string) => sql`(
  select id from conversations where project_id = ${projectId} and deleted_at is null order by id desc limit ${SAMPLE}
)`

/** A question for each row, which PostgreSQL can't turn into a join: so it is asked in the list's order, and no more than needed. */
const holdsWords = (id: string, words: string): RawBuilder<boolean> =>
  sql<boolean>`(select w.words @@ ${words}::tsquery from conversation_words w where w.conversation_id = ${sql.ref(id)})`
