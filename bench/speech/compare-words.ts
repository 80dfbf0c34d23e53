import { spokenWords } from './word-errors.ts'

/** How a text differs from another. Runs are words in a row. */
interface Difference {
  words: number
  inserted: string[][]
  deleted: string[][]
  /** Words instead of which there is another. */
  others: number
}

/** By the alignment with the fewest changes. */
export function compareWords(expectedText: string, actualText: string): Difference {
  const [expected, actual] = [spokenWords(expectedText), spokenWords(actualText)]
  const costs = costsOf(expected, actual)
  const at = (line: number, column: number): number => costs[line]?.[column] ?? Number.POSITIVE_INFINITY
  const difference: Difference = { words: expected.length, inserted: [], deleted: [], others: 0 }
  let [line, column] = [expected.length, actual.length]
  let last: 'same' | 'inserted' | 'deleted' = 'same'
  const extend = (kind: 'inserted' | 'deleted', word: string): void => {
    if (last === kind) difference[kind].at(-1)?.unshift(word)
    else difference[kind].push([word])
    last = kind
  }
  while (line > 0 || column > 0) {
    const isSame = line > 0 && column > 0 && expected[line - 1] === actual[column - 1]
    if (line > 0 && column > 0 && at(line, column) === at(line - 1, column - 1) + (isSame ? 0 : 1)) {
      if (!isSame) difference.others++
      last = 'same'
      line--
      column--
    } else if (column > 0 && at(line, column) === at(line, column - 1) + 1)
      extend('inserted', actual[--column] ?? '')
    else extend('deleted', expected[--line] ?? '')
  }
  return difference
}

function costsOf(expected: readonly string[], actual: readonly string[]): number[][] {
  const rows = [Array.from({ length: actual.length + 1 }, (_, index) => index)]
  for (const [line, word] of expected.entries()) {
    const [row, next] = [rows[line] ?? [], [line + 1]]
    for (const [column, other] of actual.entries())
      next.push(
        Math.min(
          (row[column] ?? 0) + (word === other ? 0 : 1),
          (row[column + 1] ?? 0) + 1,
          (next[column] ?? 0) + 1,
        ),
      )
    rows.push(next)
  }
  return rows
}
