import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/database.ts'
import { queryWords } from './words.ts'

/** A written text can be long: what is shown begins this many characters before the first word that matches. */
const BEFORE = 80
const LENGTH = 300

/**
 * For each conversation, the first passage that contains one of the words; none if they are in its title, name or summary. A comparison
 * by `like` goes before the regular expression, which takes twice as long: for 100 conversations of an hour without a match 0.3 s
 * instead of 0.5 s on a busy machine.
 */
export async function findPassages(db: Db, ids: string[], q: string): Promise<Map<string, string>> {
  const words = wordsIn(q)
  if (ids.length === 0 || words.length === 0) return new Map()
  const pattern = String.raw`\m(${words.join('|')})`
  const contains = (text: RawBuilder<unknown>) =>
    sql`lower(${text}) like any(${words.map((word) => `%${word}%`)}) and ${text} ~* ${pattern}`
  const { rows } = await sql<{ id: string; text: string }>`
    select given.id, passage.text
    from unnest(${ids}::uuid[]) given (id) cross join lateral (
      (
        select s.text from segments s
        where s.conversation_id = given.id and ${contains(sql`s.text`)}
          and (select true from segment_corrections k where k.segment_id = s.id) is null
        order by s.chunk_seq, s.position limit 1
      )
      union all
      (
        select k.text from segment_corrections k
        where k.conversation_id = given.id and ${contains(sql`k.text`)}
          and exists (select from segments s where s.id = k.segment_id)
        limit 1
      )
      union all
      (
        select content from text_entries
        where conversation_id = given.id and ${contains(sql`content`)}
        order by id limit 1
      )
      limit 1
    ) passage`.execute(db)
  return new Map(rows.map(({ id, text }) => [id, cut(text, pattern)]))
}

/** Letters and digits only, as typed and without accents. The index knows more spellings; those have no passage. */
const wordsIn = (q: string): string[] => [
  ...new Set([...(q.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []), ...queryWords(q)]),
]

function cut(text: string, pattern: string): string {
  if (text.length <= LENGTH) return text
  const at = text.search(new RegExp(pattern.replace(String.raw`\m`, String.raw`(?<![\p{L}\p{N}])`), 'iu'))
  const start = Math.max(0, at - BEFORE)
  const part = text.slice(start, start + LENGTH)
  return `${start > 0 ? '…' : ''}${part}${start + LENGTH < text.length ? '…' : ''}`
}
