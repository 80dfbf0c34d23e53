/** Words of at most so many letters count, and so many of them. */
const LONGEST = 60
const MOST = 20

const words = new Intl.Segmenter(undefined, { granularity: 'word' })

/** A word that every conversation of a project holds, and nobody can look for: it begins with a blank. */
export const projectWord = (projectId: string): string => ` ${projectId}`

/** A `tsquery` that finds what of a project holds a word beginning like each of these; null where there is no word. */
export function wordQuery(projectId: string, text: string): string | null {
  const found = [...words.segment(text.toLowerCase())]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment.slice(0, LONGEST))
    .slice(0, MOST)
  if (found.length === 0) return null
  return [`'${projectWord(projectId)}'`, ...found.map((word) => `'${quoted(word)}':*`)].join(' & ')
}

/** As PostgreSQL reads a quoted lexeme. */
const quoted = (word: string): string => word.replaceAll(/['\\]/g, '$&$&')
