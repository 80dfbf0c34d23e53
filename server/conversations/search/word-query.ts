/** Words of at most so many letters count, and so many of them. */
const LONGEST = 60
const MOST = 20

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** A word that every conversation of a project holds, and nobody can look for: it begins with a blank. */
export const projectWord = (projectId: string): string => ` ${projectId}`

/** The words that somebody typed; none where there is nothing but punctuation. */
export const wordsOf = (text: string): string[] => [
  ...new Set(
    [...segmenter.segment(text.toLowerCase())]
      .filter(({ isWordLike }) => isWordLike)
      .map(({ segment }) => segment.slice(0, LONGEST))
      .slice(0, MOST),
  ),
]

/** A `tsquery` that finds what of a project holds a word beginning like each of these. */
export const wordQuery = (projectId: string, words: string[]): string =>
  [`'${projectWord(projectId)}'`, ...words.map(beginning)].join(' & ')

/** As PostgreSQL reads a quoted lexeme, of which the beginning counts. */
export const beginning = (word: string): string => `'${word.replaceAll(/['\\]/g, '$&$&')}':*`
