/** What finds the conversations of a project that hold a word beginning like each of those that were typed. */
export interface WordQuery {
  /** A `tsquery` that holds for them. */
  whole: string
  /** What of it the index is asked; null: nothing. */
  indexed: string | null
}

/** Words of at most so many letters count, and so many of them. */
const LONGEST = 60
const MOST = 20

const words = new Intl.Segmenter(undefined, { granularity: 'word' })

/** A word that every conversation of a project holds, and nobody can look for: it begins with a blank. */
export const projectWord = (projectId: string): string => ` ${projectId}`

/** Null where there is no word. */
export function wordQuery(projectId: string, text: string): WordQuery | null {
  const found = [...words.segment(text.toLowerCase())]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment.slice(0, LONGEST))
    .slice(0, MOST)
  if (found.length === 0) return null
  const telling = found.filter((word) => !isLetter(word))
  const queryOf = (some: string[]) =>
    [`'${projectWord(projectId)}'`, ...some.map((word) => `'${quoted(word)}':*`)].join(' & ')
  return { whole: queryOf(found), indexed: telling.length === 0 ? null : queryOf(telling) }
}

/** As the beginning of a word it tells nothing: thousands begin so, which the index would have to put together (0.1 s). */
const isLetter = (word: string): boolean => /^[a-z]$/.test(word)

/** As PostgreSQL reads a quoted lexeme. */
const quoted = (word: string): string => word.replaceAll(/['\\]/g, '$&$&')
