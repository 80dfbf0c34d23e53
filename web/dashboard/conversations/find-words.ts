const WORD = /[\p{L}\p{M}\p{N}]+/gu
/** Scripts without spaces: a word can begin anywhere. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

/** As the search compares words: without case and accents. */
const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** The words of a search, to be marked. */
export const wordsOf = (q: string | undefined): string[] => fold(q ?? '').match(WORD) ?? []

/** Where a search found its words in a text. */
export function findWords(text: string, words: readonly string[]): { start: number; end: number }[] {
  if (words.length === 0) return []
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const folded = fold(word)
    const isFound = UNSPACED.test(word)
      ? words.some((one) => folded.includes(one))
      : words.some((one) => folded.startsWith(one))
    return isFound ? [{ start: index, end: index + word.length }] : []
  })
}

/** The text from shortly before the first word that was found, so that the word is on the only line of a list that is shown. */
export function fromFirstFound(text: string, words: readonly string[], maxBefore: number): string {
  const first = findWords(text, words)[0]?.start ?? 0
  if (first <= maxBefore) return text
  const cut = first - maxBefore
  const space = text.slice(cut, first).search(/\s\S/u)
  return `… ${text.slice(space < 0 ? first : cut + space + 1)}`
}
