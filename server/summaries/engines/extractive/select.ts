import { readable } from '../../unclear-words.ts'
import { CLEAR, FAILS } from './concern.ts'
import { type Passage, yieldToEventLoop } from './passages.ts'
import { centrality, pick } from './rank.ts'
import { compare, countsOf } from './similarity.ts'

/** The similarity matrix of this size takes 16 MB. A recording of three hours has about as many sentences. */
const MAX_COMPARED = 2_000
/** Shorter sentences are answers and greetings. */
const MIN_KEYS = 3
/** All words of a wish can be stop words: "something has to be done about it". */
const MIN_WORDS = 3
/** At the end of a short statement, people say what follows from it, unless another sentence says what is missing. */
const MAX_SHORT = 6
/** The share of a summary's points that are concerns; the others explain. */
const SHARE_OF_CONCERNS = 0.75

/** The most important passages on different subjects, in their order. */
export async function selectPassages(
  passages: readonly Passage[],
  count: number,
  signal: AbortSignal,
  favour: (passage: Passage) => number = () => 1,
): Promise<Passage[]> {
  const candidates = thin(relevantPassages(passages), MAX_COMPARED)
  await yieldToEventLoop(signal)
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

/** Whether the person says what they ask for, are against or worry about. */
export const isClear = ({ terms, concern }: Passage): boolean =>
  concern.weight >= CLEAR && terms.length >= MIN_WORDS

/** First the passages with a wish, an objection or a worry, the clearest at the top; then other passages, in their order. */
export async function selectPoints(
  passages: readonly Passage[],
  count: number,
  signal: AbortSignal,
): Promise<Passage[]> {
  const found = passages.filter(isClear)
  const isShort = passages.length <= MAX_SHORT
  const clear = found.length === 0 && isShort ? [conclusionOf(passages)].flat() : found
  const concerns = await selectPassages(clear, Math.ceil(count * SHARE_OF_CONCERNS), signal, weightOf)
  const others = passages.filter((one) => !clear.includes(one))
  const room = count - concerns.length
  const rest = isShort
    ? explaining(others).slice(0, room)
    : await selectPassages(others, room, signal, weightOf)
  return [...concerns.sort((a, b) => weightOf(b) - weightOf(a)), ...rest]
}

function conclusionOf(passages: readonly Passage[]): Passage | [] {
  const lack = passages.findLast(({ concern }) => concern.lacks)
  const [failure] = passages
    .filter(({ concern }) => concern.weight >= FAILS)
    .toSorted((a, b) => b.concern.weight - a.concern.weight)
  return lack ?? failure ?? passages.at(-1) ?? []
}

/** In a short statement, words for a trouble say more than frequent words. */
const explaining = (passages: readonly Passage[]): Passage[] =>
  passages
    .filter((one) => isRelevant(one) || one.concern.weight >= FAILS)
    .toSorted((a, b) => weightOf(b) - weightOf(a))

const weightOf = ({ concern }: Passage): number => 1 + concern.weight

const isRelevant = (one: Passage): boolean => new Set(one.keys).size >= MIN_KEYS || isClear(one)

/** Whether the engine did not understand some of the words, and the rest is no wish, objection or worry. */
const isPartial = (one: Passage): boolean => readable(one.text) !== one.text && !isClear(one)

/** From clear to doubtful. */
const doubtOf = (one: Passage): number => (one.unclear ? 2 : Number(isPartial(one)))

/** First a passage that was understood, if one is more than a greeting; those of unclear segments come last. */
export async function clearFirst(
  points: readonly Passage[],
  passages: readonly Passage[],
  signal: AbortSignal,
): Promise<Passage[]> {
  const sorted = points.toSorted((a, b) => doubtOf(a) - doubtOf(b))
  const least = sorted[0] ? doubtOf(sorted[0]) : 0
  if (least === 0) return sorted
  const usable = passages.filter((one) => doubtOf(one) < least && isRelevant(one))
  const [first] = await selectPoints(usable, 1, signal)
  return first ? [first, ...sorted].slice(0, points.length) : sorted
}

/** Without short passages, unless all are short, and without repetitions. */
export function relevantPassages(passages: readonly Passage[]): Passage[] {
  const long = passages.filter(isRelevant)
  const chosen = long.length > 0 ? long : passages.filter(({ keys }) => keys.length > 0)
  const seen = new Set<string>()
  return chosen.filter(({ keys, text }) => {
    const same = keys.join(' ') || text
    return !seen.has(same) && seen.add(same)
  })
}

/** At most `max` passages: of each of `max` ranges, the one with the most frequent words. Linear, while comparing all is quadratic. */
export function thin(passages: readonly Passage[], max: number): readonly Passage[] {
  if (passages.length <= max) return passages
  const counts = countsOf(passages.flatMap(({ keys }) => keys))
  const frequency = ({ keys }: Passage) =>
    keys.reduce((sum, key) => sum + Math.log(counts.get(key) ?? 1), 0) / Math.sqrt(keys.length + 1)
  return Array.from({ length: max }, (_, range) => {
    const from = Math.floor((range * passages.length) / max)
    const to = Math.floor(((range + 1) * passages.length) / max)
    return passages.slice(from, to).reduce((best, next) => (frequency(next) > frequency(best) ? next : best))
  })
}
