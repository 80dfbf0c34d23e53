/** A word in every conversation of a project. It starts with a space, so that no search can contain it. */
export const projectWord = (projectId: string): string => ` ${projectId}`

/** A `tsquery` that finds what of a project holds a word beginning like each of these. */
export const wordQuery = (projectId: string, words: string[]): string =>
  [`'${projectWord(projectId)}'`, ...words.map(beginning)].join(' & ')

/** As PostgreSQL reads a quoted lexeme, of which the beginning counts. */
export const beginning = (word: string): string => `'${word.replaceAll(/['\\]/g, '$&$&')}':*`
