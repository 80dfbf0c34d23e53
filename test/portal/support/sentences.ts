const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9\s]/g, '')
    .split(/\s+/)
    .filter((word) => word !== '')

/** Some texts have no full stops. */
const MAX_WORDS = 14
/** The share of the words of a sentence that must occur in order. A speech engine mishears some; other sentences share fewer. */
const MIN_SHARED = 0.65

/** The sentences of a text as words; long ones in parts. */
function sentencesOf(text: string): string[][] {
  return text
    .split(/[.;!?]\s/)
    .map(wordsOf)
    .flatMap((words) => {
      const parts = Math.ceil(words.length / MAX_WORDS)
      const size = Math.ceil(words.length / parts)
      return Array.from({ length: parts }, (_, index) => words.slice(index * size, (index + 1) * size))
    })
    .filter(({ length }) => length > 2)
}

/** The length of the longest common subsequence. */
function sharedWords(one: string[], other: string[]): number {
  let row = Array.from(other, () => 0).concat(0)
  for (const word of one) {
    const next = [0]
    for (let index = 0; index < other.length; index++)
      next.push(
        word === other[index]
          ? (row[index] as number) + 1
          : Math.max(next[index] as number, row[index + 1] as number),
      )
    row = next
  }
  return row[other.length] as number
}

/** Where a sentence begins in the text; more than one position if it is there several times. */
function positionsOf(sentence: string[], text: string[]): number[] {
  const positions: number[] = []
  const shares = Array.from(
    { length: Math.max(1, text.length - sentence.length + 1) },
    (_, at) => sharedWords(sentence, text.slice(at, at + sentence.length)) / sentence.length,
  )
  for (;;) {
    const best = Math.max(...shares)
    if (best < MIN_SHARED) return positions.toSorted((a, b) => a - b)
    const at = shares.indexOf(best)
    positions.push(at)
    // Overlapping matches are the same sentence.
    shares.fill(0, Math.max(0, at - sentence.length + 1), at + sentence.length)
  }
}

/** The sentences that a transcript does not have exactly once, or has in another order. Empty if all is well. */
export function wrongSentences(transcript: string, spoken: string[]): string[] {
  const text = wordsOf(transcript)
  let last = -1
  return spoken.flatMap(sentencesOf).flatMap((sentence) => {
    const positions = positionsOf(sentence, text)
    const [at = -1] = positions
    const isInOrder = at > last
    if (positions.length === 1) last = at
    if (positions.length === 1 && isInOrder) return []
    return [
      `${positions.length === 1 ? 'in another order' : `${positions.length} times`}: ${sentence.join(' ')}`,
    ]
  })
}
