import { breathe } from './passages.ts'
import type { Similarity } from './similarity.ts'

/** Below it two sentences share a word by chance. */
const ALIKE = 0.1
const DAMPING = 0.85
const ROUNDS = 25
/** How much a candidate's likeness to what was picked before counts against it. */
const NOVELTY = 0.7

/** LexRank: a sentence weighs as much as those that are like it say. The mean is 1. */
export async function centrality({ size, row }: Similarity, signal: AbortSignal): Promise<Float64Array> {
  const links = Array.from({ length: size }, (_, member) => linksOf(member, row(member)))
  let weights = new Float64Array(size).fill(1)
  for (let round = 0; round < ROUNDS; round++) {
    await breathe(signal)
    weights = nextWeights(weights, row, links)
  }
  return weights
}

/** The sum of what a sentence gives; 0 where none is like it. */
function linksOf(member: number, row: Float32Array): number {
  let sum = 0
  for (const [other, alike] of row.entries()) if (alike >= ALIKE && other !== member) sum += alike
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
    const alikes = row(member)
    for (let other = 0; other < alikes.length; other++) {
      const alike = alikes[other] ?? 0
      if (alike >= ALIKE && other !== member) next[other] = (next[other] ?? 0) + share * alike
    }
  }
  return next
}

/**
 * Maximal marginal relevance: the heaviest first, then always the one that weighs much and is least like those before.
 * Equal ones are taken in the order in which they were said, so that the same transcript gives the same picks.
 */
export function pick(weights: Float64Array, { row }: Similarity, count: number): number[] {
  const heaviest = Math.max(...weights, Number.MIN_VALUE)
  const likeness = new Float64Array(weights.length)
  const picked: number[] = []
  while (picked.length < Math.min(count, weights.length)) {
    const best = bestOf(weights.length, (member) =>
      picked.includes(member)
        ? Number.NEGATIVE_INFINITY
        : (1 - NOVELTY) * ((weights[member] ?? 0) / heaviest) - NOVELTY * (likeness[member] ?? 0),
    )
    picked.push(best)
    for (const [other, alike] of row(best).entries()) likeness[other] = Math.max(likeness[other] ?? 0, alike)
  }
  return picked
}

function bestOf(count: number, score: (member: number) => number): number {
  let best = 0
  for (let member = 1; member < count; member++) if (score(member) > score(best)) best = member
  return best
}
