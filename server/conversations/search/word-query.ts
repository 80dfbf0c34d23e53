/** Words of at most so many letters count, and so many of them. */
const LONGEST = 60
const MOST = 20

const words = new Intl.Segmenter(undefined, { granularity: 'word' })

/** A `tsquery` that finds what holds a word beginning like each of these; null where there is no word. */
export function wordQuery(text: string): string | null {
  const found = [...words.segment(text.toLowerCase())]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment.slice(0, LONGEST))
    .slice(0, MOST)
  return found.length === 0 ? null : found.map((word) => `'${quoted(word)}':*`).join(' & ')
}

/** As PostgreSQL reads a quoted lexeme. */
const quoted = (word: string): string => word.replaceAll(/['\\]/g, '$&$&')
