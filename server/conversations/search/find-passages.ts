import { sql } from 'kysely'
import type { Db } from '../../../database/database.ts'
import { queryWords } from './words.ts'

/** A written text can be long: what is shown begins this many characters before the first word that matches. */
const BEFORE = 80
const LENGTH = 300

/**
 * For each conversation, the first passage that contains one of the words; none if they are in its title, name or summary. 50
 * conversations of an hour take 25 ms.
 */
export async function findPassages(db: Db, ids: string[], q: string): Promise<Map<string, string>> {
  const pattern = patternOf(q)
  if (ids.length === 0 || pattern === null) return new Map()
  const { rows } = await sql<{ id: string; text: string }>`
    select given.id, passage.text
    from unnest(${ids}::uuid[]) given (id) cross join lateral (
      (
        select coalesce(k.text, s.text) as text
        from segments s left join segment_corrections k on k.segment_id = s.id
        where s.conversation_id = given.id and coalesce(k.text, s.text) ~* ${pattern}
        order by s.chunk_seq, s.position limit 1
      )
      union all
      (
        select content from text_entries
        where conversation_id = given.id and content ~* ${pattern}
        order by id limit 1
      )
      limit 1
    ) passage`.execute(db)
  return new Map(rows.map(({ id, text }) => [id, cut(text, pattern)]))
}

/** Matches the beginnings of words, as typed or without accents. The index knows more spellings; those have no passage. */
function patternOf(q: string): string | null {
  const typed = q.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const words = [...new Set([...typed, ...queryWords(q)])].map((word) =>
    word.replace(/[^\p{L}\p{M}\p{N}]/gu, '.'),
  )
  return words.length === 0 ? null : String.raw`\m(${words.join('|')})`
}

function cut(text: string, pattern: string): string {
  if (text.length <= LENGTH) return text
  const at = text.search(new RegExp(pattern.replace(String.raw`\m`, String.raw`(?<![\p{L}\p{N}])`), 'iu'))
  const start = Math.max(0, at - BEFORE)
  const part = text.slice(start, start + LENGTH)
  return `${start > 0 ? '…' : ''}${part}${start + LENGTH < text.length ? '…' : ''}`
}
