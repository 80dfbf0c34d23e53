import { yieldToEventLoop } from './passages.ts'
import type { Similarity } from './similarity.ts'

/** Below it, two sentences share a word by chance. */
const MIN_SIMILARITY = 0.1
const DAMPING = 0.85
const ROUNDS = 25
/** The weight of a candidate's similarity to sentences that were selected before. */
const NOVELTY = 0.7

/** LexRank: the weight of a sentence depends on the weights of similar sentences. The mean is 1. */
export async function centrality({ size, row }: Similarity, signal: AbortSignal): Promise<Float64Array> {
  const links = Array.from({ length: size }, (_, member) => linksOf(member, row(member)))
  let weights = new Float64Array(size).fill(1)
  for (let round = 0; round < ROUNDS; round++) {
    await yieldToEventLoop(signal)
    weights = nextWeights(weights, row, links)
  }
  return weights
}

/** The sum of a sentence's similarities; 0 if no sentence is similar. */
function linksOf(member: number, row: Float32Array): number {
  let sum = 0
  for (const [other, similarity] of row.entries())
    if (similarity >= MIN_SIMILARITY && other !== member) sum += similarity
  return sum
}

function nextWeights(
  weights: Float64Array,
  row: Similarity['row'],
  links: readonly number[],
): Float64Array<ArrayBuffer> {
  const next = new Float64Array(weights.length).fill(1 - DAMPING)
  for (const [member, sum] of links.entries()) {
    if (sum === 0) continue
    const share = (DAMPING * (weights[member] ?? 0)) / sum
    const similarities = row(member)
    for (let other = 0; other < similarities.length; other++) {
      const similarity = similarities[other] ?? 0
      if (similarity >= MIN_SIMILARITY && other !== member)
        next[other] = (next[other] ?? 0) + share * similarity
    }
  }
  return next
}

/** Maximal marginal relevance: a high weight, and a low similarity to those before. Equal ones in order, for reproducible results. */
export function pick(weights: Float64Array, { row }: Similarity, count: number): number[] {
  const heaviest = Math.max(...weights, Number.MIN_VALUE)
  const maxSimilarity = new Float64Array(weights.length)
  const picked: number[] = []
  while (picked.length < Math.min(count, weights.length)) {
    const best = bestOf(weights.length, (member) =>
      picked.includes(member)
        ? Number.NEGATIVE_INFINITY
        : (1 - NOVELTY) * ((weights[member] ?? 0) / heaviest) - NOVELTY * (maxSimilarity[member] ?? 0),
    )
    picked.push(best)
    for (const [other, similarity] of row(best).entries())
      maxSimilarity[other] = Math.max(maxSimilarity[other] ?? 0, similarity)
  }
  return picked
}

function bestOf(count: number, score: (member: number) => number): number {
  let best = 0
  for (let member = 1; member < count; member++) if (score(member) > score(best)) best = member
  return best
}
