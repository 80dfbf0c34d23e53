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
export const wordErrors = (expected: readonly string[], actual: readonly string[]): number =>
  editDistances(expected, actual).at(-1)?.at(-1) ?? 0

/** For each actual word whether it was said, by the alignment with the fewest errors. */
export function saidWords(expected: readonly string[], actual: readonly string[]): boolean[] {
  const distances = editDistances(expected, actual)
  const at = (line: number, column: number): number => distances[line]?.[column] ?? Number.POSITIVE_INFINITY
  const said = actual.map(() => false)
  let [line, column] = [expected.length, actual.length]
  while (line > 0 && column > 0) {
    const isSame = expected[line - 1] === actual[column - 1]
    if (at(line, column) === at(line - 1, column - 1) + (isSame ? 0 : 1)) {
      said[column - 1] = isSame
      line--
      column--
    } else if (at(line, column) === at(line - 1, column) + 1) line--
    else column--
  }
  return said
}

/** Between all beginnings of both. */
function editDistances(expected: readonly string[], actual: readonly string[]): number[][] {
  const rows = [Array.from({ length: actual.length + 1 }, (_, index) => index)]
  expected.forEach((word, line) => {
    const row = rows[line] as number[]
    const next = [line + 1]
    actual.forEach((other, column) => {
      const changed = (row[column] ?? 0) + (word === other ? 0 : 1)
      next.push(Math.min(changed, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    })
    rows.push(next)
  })
  return rows
}
