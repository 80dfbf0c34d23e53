import type { Summarizer } from '../../server/summaries/summarizer.ts'
import { share } from './scores.ts'
import type { StatementSet } from './statements.ts'

/** How many titles are a sentence or clause of the text, and how many summaries contain the person's concern. */
export async function measureSummaries(
  summarizer: Summarizer,
  sets: readonly StatementSet[],
  print: (line: string) => void,
) {
  const hits = { total: 0, title: 0, summary: 0, first: 0 }
  for (const { language, statements } of sets)
    for (const { text, concern } of statements) {
      const { title, points } = await summarizer.summarize({
        language,
        utterances: utterancesOf(text),
        signal: new AbortController().signal,
      })
      const says = (point?: { text: string }) => point !== undefined && overlaps(point.text, concern)
      hits.total++
      if (isClause(title, text)) hits.title++
      else print(`title (${language}): ${title}`)
      if (says(points[0])) hits.first++
      if (points.some(says)) hits.summary++
      else
        print(`summary (${language}) without “${concern}”: ${points.map((point) => point.text).join(' | ')}`)
    }
  return {
    titles: {
      clauses: hits.title,
      of: hits.total,
      share: share(hits.title, hits.total),
    },
    summaries: {
      contain_the_concern: hits.summary,
      begin_with_it: hits.first,
      of: hits.total,
      share: share(hits.summary, hits.total),
    },
  }
}

/** Splits a text as speech recognition does: about one sentence per utterance. */
const utterancesOf = (text: string) =>
  text.split(/(?<=[.?!]) /u).map((sentence, index) => ({ id: `u${index}`, start: index * 4, text: sentence }))

const overlaps = (point: string, concern: string): boolean => point.includes(concern)

const MIN_WORDS = 3
/** Punctuation, or the end of the text. */
const BOUNDARY = /^\s*(?:[.,;:!?…–]|$)/u
const BEGINNING = /(?:^|[.,;:!?…–])\s*(?:\p{L}+\s)?$/u

/**
 * A sentence of the text, or a clause of one: its words in their order, from a boundary to a boundary, at least three of them.
 * One introductory word can be missing ("so", "but"). A title that was cut ends in an ellipsis, and is not counted.
 */
function isClause(title: string, text: string): boolean {
  const at = text.toLowerCase().indexOf(title.toLowerCase())
  if (at < 0 || title.split(/\s+/u).length < MIN_WORDS) return false
  return BEGINNING.test(text.slice(0, at)) && BOUNDARY.test(text.slice(at + title.length))
}
