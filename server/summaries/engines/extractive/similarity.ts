import { yieldToEventLoop } from './passages.ts'

/** The similarity of each pair of members, from 0 to 1, as a dense matrix. */
export interface Similarity {
  size: number
  /** The similarity of one member to all members. */
  row(member: number): Float32Array
}

const ROW_BATCH_SIZE = 50

/** Cosine similarity of TF-IDF vectors, by an inverted index: only sentences that share a word are compared. */
export async function compare(
  sentences: readonly (readonly string[])[],
  signal: AbortSignal,
): Promise<Similarity> {
  const size = sentences.length
  const cells = new Float32Array(size * size)
  const row = (member: number) => cells.subarray(member * size, (member + 1) * size)
  const vectors = vectorsOf(sentences)
  const entries = vectors.flatMap((vector, sentence) =>
    [...vector].map(([word, weight]) => ({ word, sentence, weight })),
  )
  const index = Map.groupBy(entries, ({ word }) => word)
  for (const [member, vector] of vectors.entries()) {
    if (member % ROW_BATCH_SIZE === 0) await yieldToEventLoop(signal)
    const products = row(member)
    for (const [word, weight] of vector)
      for (const entry of index.get(word) ?? [])
        products[entry.sentence] = (products[entry.sentence] ?? 0) + weight * entry.weight
  }
  return { size, row }
}

/** The words of each sentence, as a vector of length 1. */
function vectorsOf(sentences: readonly (readonly string[])[]): Map<string, number>[] {
  const counts = sentences.map(countsOf)
  const spread = countsOf(counts.flatMap((words) => [...words.keys()]))
  const rarity = (word: string) => Math.log(1 + sentences.length / (spread.get(word) ?? 1))
  return counts.map((words) => {
    const vector = new Map([...words].map(([word, count]) => [word, count * rarity(word)]))
    const length = Math.hypot(...vector.values())
    for (const [word, weight] of vector) vector.set(word, weight / length)
    return vector
  })
}

export function countsOf<Key>(items: Iterable<Key>): Map<Key, number> {
  const counts = new Map<Key, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}
