const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
/** Different spellings of one word. */
const SAME: Record<string, string> = { mr: 'mister', ok: 'okay', til: 'till' }

/** Without case, punctuation, accents (some reference texts have none) and the choice between digits and words. */
export function spokenWords(text: string): string[] {
  const words =
    text
      .normalize('NFC')
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}']+/gu) ?? []
  return words
    .map((word) => word.replaceAll("'", ''))
    .filter((word) => word !== '')
    .map((word) => SAME[word] ?? NUMBERS[/^\d+$/.test(word) ? Number(word) : -1] ?? word)
}

/** The word error count: the minimum of substitutions, deletions and insertions. */
export function wordErrors(expected: readonly string[], actual: readonly string[]): number {
  let row = Array.from({ length: actual.length + 1 }, (_, index) => index)
  expected.forEach((word, line) => {
    const next = [line + 1]
    actual.forEach((other, column) => {
      const changed = (row[column] ?? 0) + (word === other ? 0 : 1)
      next.push(Math.min(changed, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    })
    row = next
  })
  return row.at(-1) ?? 0
}
