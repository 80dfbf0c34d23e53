import { breathe, type Passage } from './passages.ts'
import { centrality, pick } from './rank.ts'
import { compare, countsOf } from './similarity.ts'

/** The square of so many takes 16 MB; a recording of three hours has about as many sentences. */
const MAX_COMPARED = 2_000
/** Shorter ones are answers and greetings, which mean nothing by themselves. */
const MIN_KEYS = 3

/** The passages that say most, each something else, in the order in which they were said. */
export async function selectPassages(
  passages: readonly Passage[],
  count: number,
  signal: AbortSignal,
  favour: (passage: Passage) => number = () => 1,
): Promise<Passage[]> {
  const candidates = thin(worthSaying(passages), MAX_COMPARED)
  await breathe(signal)
  const similarity = await compare(
    candidates.map(({ keys }) => keys),
    signal,
  )
  const weights = await centrality(similarity, signal)
  for (const [index, candidate] of candidates.entries())
    weights[index] = (weights[index] ?? 0) * favour(candidate)
  const picked = pick(weights, similarity, count).sort((a, b) => a - b)
  return picked.flatMap((index) => candidates[index] ?? [])
}

/** Where everything is short, the short ones too; what was said twice counts once. */
export function worthSaying(passages: readonly Passage[]): Passage[] {
  const long = passages.filter(({ keys }) => new Set(keys).size >= MIN_KEYS)
  const chosen = long.length > 0 ? long : passages.filter(({ keys }) => keys.length > 0)
  const seen = new Set<string>()
  return chosen.filter(({ keys }) => {
    const same = keys.join(' ')
    return !seen.has(same) && seen.add(same)
  })
}

/**
 * At most so many, from all parts alike: the list is cut into as many stretches as may stay, and of each the passage with
 * the most usual words stays. The cost grows with the list, where comparing all with all would grow with its square.
 */
export function thin(passages: readonly Passage[], atMost: number): readonly Passage[] {
  if (passages.length <= atMost) return passages
  const counts = countsOf(passages.flatMap(({ keys }) => keys))
  const usual = ({ keys }: Passage) =>
    keys.reduce((sum, key) => sum + Math.log(counts.get(key) ?? 1), 0) / Math.sqrt(keys.length + 1)
  return Array.from({ length: atMost }, (_, stretch) => {
    const from = Math.floor((stretch * passages.length) / atMost)
    const to = Math.floor(((stretch + 1) * passages.length) / atMost)
    return passages.slice(from, to).reduce((best, next) => (usual(next) > usual(best) ? next : best))
  })
}
