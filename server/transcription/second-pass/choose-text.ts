import { UNCLEAR_BELOW } from '../../../speech/types.ts'
import { carryCorrections } from '../../conversations/index.ts'
import { sharedMs, TIME_TOLERANCE_MS } from '../overlap.ts'

interface Spoken {
  start: number
  end: number
  text: string
  /** Null: the engine does not report it, and counts as sure. */
  confidence: number | null
}

/** A segment of the first pass. */
export interface FirstSegment extends Spoken {
  id: string
  speaker: string | null
  isCorrected: boolean
}

/** A segment of the second pass. `id`: of the correction that applies to it. */
type SecondSegment<S extends Spoken> = S & { id?: string; speaker: string | null }

export type Chosen<F, S extends Spoken> =
  | { from: 'first'; segment: F }
  | { from: 'second'; segment: SecondSegment<S> }

/** The same stretch of speech in both passes. */
interface Stretch<F, S> {
  first: F[]
  second: S[]
}

/**
 * The text of both passes, in order. The second pass replaces the first stretch by stretch, except where the words are the same,
 * where it would make the text worse, and where a correction or a speaker would be lost.
 */
export function chooseText<F extends FirstSegment, S extends Spoken>(
  first: readonly F[],
  second: readonly S[],
): Chosen<F, S>[] {
  const chosen = pairUnmatched(stretchesOf(first, second)).flatMap((stretch): Chosen<F, S>[] => {
    const replacement = isBetter(stretch) ? replacementOf(stretch) : null
    return replacement
      ? replacement.map((segment) => ({ from: 'second', segment }))
      : stretch.first.map((segment) => ({ from: 'first', segment }))
  })
  return withoutRepeats(chosen.toSorted((one, other) => one.segment.start - other.segment.start))
}

const isSameSpeech = (one: Spoken, other: Spoken): boolean =>
  one.start <= other.end &&
  other.start <= one.end &&
  sharedMs(one, other) >=
    Math.min(TIME_TOLERANCE_MS, (one.end - one.start) / 2, (other.end - other.start) / 2)

function stretchesOf<F extends Spoken, S extends Spoken>(
  first: readonly F[],
  second: readonly S[],
): Stretch<F, S>[] {
  const all = [
    ...first.map((segment) => ({ segment, isFirst: true as const })),
    ...second.map((segment) => ({ segment, isFirst: false as const })),
  ].sort((one, other) => one.segment.start - other.segment.start)
  const stretches: Stretch<F, S>[] = []
  for (const { segment, isFirst } of all) {
    // The segments of one pass do not overlap, so that only the latest stretches can reach it.
    const open = stretches
      .slice(-3)
      .findLast(({ first, second }) =>
        (isFirst ? second : first).some((other) => isSameSpeech(segment, other)),
      )
    const stretch = open ?? { first: [], second: [] }
    if (!open) stretches.push(stretch)
    if (isFirst) stretch.first.push(segment)
    else stretch.second.push(segment)
  }
  return stretches
}

/** Short phrases such as "yes" can have times that do not overlap at all. */
const NEARBY_MS = 1_000

/** Joins a stretch that only one pass has with its neighbour that only the other has. */
function pairUnmatched<F extends Spoken, S extends Spoken>(stretches: Stretch<F, S>[]): Stretch<F, S>[] {
  const paired: Stretch<F, S>[] = []
  for (const stretch of stretches) {
    const last = paired.at(-1)
    const isPair =
      last &&
      (last.first.length === 0
        ? stretch.second.length === 0
        : last.second.length === 0 && stretch.first.length === 0) &&
      startOf(stretch) - endOf(last) <= NEARBY_MS
    if (isPair) {
      last.first.push(...stretch.first)
      last.second.push(...stretch.second)
    } else paired.push(stretch)
  }
  return paired
}

const startOf = ({ first, second }: Stretch<Spoken, Spoken>): number =>
  Math.min(...[...first, ...second].map(({ start }) => start))
const endOf = ({ first, second }: Stretch<Spoken, Spoken>): number =>
  Math.max(...[...first, ...second].map(({ end }) => end))

/** Where the fast model was sure, the better one does not find less than half of the text, nor more than twice of it. */
const MIN_SHARE = 0.5
const MAX_SHARE = 2
/** Letters per second. Speech is slower: the model repeats itself. */
const MAX_PACE = 35

/** Whether the second pass should replace the first. */
function isBetter({ first, second }: Stretch<Spoken, Spoken>): boolean {
  const [before, after] = [lettersOf(first), lettersOf(second)]
  if (before === after) return false
  if (after === '') return !isSure(first)
  if (before === '') return isSure(second)
  const seconds = second.reduce((sum, { start, end }) => sum + end - start, 0) / 1000
  if (after.length > MAX_PACE * Math.max(1, seconds)) return false
  if (!isSure(first)) return true
  const share = after.length / before.length
  return isSure(second) && share >= MIN_SHARE && share <= MAX_SHARE
}

/** Without punctuation, capitals and spaces, so that it also compares languages that do not separate words. */
const lettersOf = (segments: readonly Spoken[]): string => segments.map(({ text }) => letters(text)).join('')
const letters = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '')

function isSure(segments: readonly Spoken[]): boolean {
  let [sum, weight] = [0, 0]
  for (const { text, confidence } of segments) {
    sum += (confidence ?? 1) * text.length
    weight += text.length
  }
  return sum >= UNCLEAR_BELOW * weight
}

/** With its speakers and corrections; null if one would be lost. */
function replacementOf<F extends FirstSegment, S extends Spoken>({
  first,
  second,
}: Stretch<F, S>): SecondSegment<S>[] | null {
  const spoken: SecondSegment<S>[] = []
  for (const segment of second) {
    const speakers = speakersIn(segment, first)
    if (speakers.length > 1) return null
    spoken.push({ ...segment, speaker: speakers[0] ?? null })
  }
  const corrections = first.filter(({ isCorrected }) => isCorrected)
  const carried = carryCorrections(
    spoken.map(({ speaker, confidence, ...segment }) => ({
      ...segment,
      ...(speaker !== null && { speaker }),
      ...(confidence !== null && { confidence }),
    })),
    corrections,
  )
  const isKept = corrections.every(({ id }) => carried.some((one) => one.id === id))
  if (!isKept) return null
  return carried.map((one) => ({
    ...one,
    speaker: one.speaker ?? null,
    confidence: one.confidence ?? null,
  })) as SecondSegment<S>[]
}

/** A speaker with less of a segment talks at its edge. */
const MIN_SPEAKER_SHARE = 0.25

/** The speakers of the first pass during a segment. The labels of a second pass differ from part to part. */
function speakersIn({ start, end }: Spoken, first: readonly FirstSegment[]): string[] {
  const shares = new Map<string, number>()
  for (const one of first)
    if (one.speaker !== null)
      shares.set(one.speaker, (shares.get(one.speaker) ?? 0) + sharedMs(one, { start, end }))
  const labels = [...shares.keys()]
  if (labels.length <= 1) return labels
  return labels.filter((label) => (shares.get(label) ?? 0) >= (end - start) * MIN_SPEAKER_SHARE)
}

/** A word at the edge of two stretches can be in the text of both passes: the shorter of the two segments is left out. */
function withoutRepeats<F extends FirstSegment, S extends Spoken>(chosen: Chosen<F, S>[]): Chosen<F, S>[] {
  const kept: Chosen<F, S>[] = []
  for (const one of chosen) {
    const last = kept.at(-1)
    const isNear = last && last.from !== one.from && one.segment.start - last.segment.end <= NEARBY_MS
    if (isNear && canDrop(one) && letters(last.segment.text).endsWith(letters(one.segment.text))) continue
    if (isNear && canDrop(last) && letters(one.segment.text).startsWith(letters(last.segment.text)))
      kept.pop()
    kept.push(one)
  }
  return kept
}

const canDrop = (one: Chosen<FirstSegment, Spoken>): boolean =>
  one.from === 'first' ? !one.segment.isCorrected : one.segment.id === undefined
