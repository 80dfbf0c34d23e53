import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/database.ts'
import { prefixLexeme, wordQuery } from './words.ts'

/** How many of the newest conversations are checked to see whether words are frequent; one takes 35 µs. */
const SAMPLE_SIZE = 100
/** Words in this many of them are frequent: a page of 50 is then found among 1,000 conversations. */
const FREQUENT = 5
/** A word in this many of them does not narrow a search down. */
const COMMON = SAMPLE_SIZE / 2
/** Up to this many matches of the index are sorted. */
const MAX_SORTED = 10_000

/**
 * The condition for a list, newest first, of the conversations that contain all words. Frequent words are found fastest by checking
 * one conversation after the other; the index would collect all matches (0.1 s for 100,000). Rare words are found by the index.
 */
export async function newestWithWords(
  db: Db,
  projectId: string,
  words: string[],
): Promise<RawBuilder<boolean>> {
  // A search for punctuation alone.
  if (words.length === 0) return sql<boolean>`false`
  const isMatch = containsWords('conversations.id', wordQuery(projectId, words))
  if (await areFrequent(db, projectId, words)) return isMatch
  const selective = await selectiveOf(db, projectId, words)
  const matches = sql`conversations_with_words(${wordQuery(projectId, selective)}::tsquery, ${MAX_SORTED + 1})`
  const counted = await sql<{ count: number }>`select count(*)::integer as count from ${matches}`.execute(db)
  if ((counted.rows[0]?.count ?? 0) > MAX_SORTED) return isMatch
  const matching = sql<boolean>`id = any(array(select ${matches}))`
  return selective.length === words.length ? matching : sql<boolean>`(${matching} and ${isMatch})`
}

async function areFrequent(db: Db, projectId: string, words: string[]): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${newest(projectId)} newest
    where ${containsWords('newest.id', wordQuery(projectId, words))}`.execute(db)
  return (rows[0]?.count ?? 0) >= FREQUENT
}

/** Without common words: collecting all matches of "the" (0.1 s for 100,000) takes longer than checking those of the other words. */
async function selectiveOf(db: Db, projectId: string, words: string[]): Promise<string[]> {
  if (words.length === 1) return words
  // Appending an empty vector decompresses the words once instead of once for each word.
  const { rows } = await sql<{ word: string; count: number }>`
    select word, count(*)::integer as count
    from ${newest(projectId)} newest
    join conversation_words w on w.conversation_id = newest.id
    cross join lateral (select w.words || ''::tsvector as words offset 0) unpacked
    join unnest(${words}::text[], ${words.map(prefixLexeme)}::text[]) as asked (word, query)
      on unpacked.words @@ asked.query::tsquery
    group by word`.execute(db)
  const common = new Set(rows.filter(({ count }) => count >= COMMON).map(({ word }) => word))
  const selective = words.filter((word) => !common.has(word))
  return selective.length === 0 ? words : selective
}

const newest = (projectId: string) => sql`(
  select id from conversations where project_id = ${projectId} and deleted_at is null order by id desc limit ${SAMPLE_SIZE}
)`

/** A scalar subquery, which PostgreSQL cannot turn into a join: rows are checked in the order of the list until the page is full. */
const containsWords = (id: string, words: string): RawBuilder<boolean> =>
  sql<boolean>`(select w.words @@ ${words}::tsquery from conversation_words w where w.conversation_id = ${sql.ref(id)})`
