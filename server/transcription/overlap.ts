import type { Segment } from './transcriber.ts'

/** Times are in milliseconds. */
export interface Phrase extends Omit<Segment, 'start' | 'end'> {
  start: number
  end: number
}

/** A phrase that ends this close to the end of the audio was probably truncated: engines report ends to a third of a second. */
const END_TOLERANCE_MS = 500
/** A shorter phrase has too little context: the one before it is transcribed again, too. */
const SHORT_MS = 2_000
/** Phrases this close to each other belong together. */
const CONNECTED_MS = 350
/** Longer phrases are not transcribed again: engines end theirs after 20 s. */
const MAX_PHRASE_MS = 24_000
/** The same for unfinished speech that an engine detected: two windows that share audio. */
const MAX_UNFINISHED_MS = 42_000
/** Transcribed again after a pause: it can contain the soft beginning of the next word. */
const SILENCE_MS = 1_000
/** Left out after a phrase, so that the end of its last word is not transcribed again. */
const TAIL_MS = 250

/**
 * Where to begin when the audio after `transcribedTo` is transcribed. A phrase that was truncated there is transcribed again from its
 * beginning. Without this, chunks of 7 s had 9 % of their words wrong; with it, as few as a whole recording. Engines that detect
 * speech report `finishedTo`; otherwise the times of the last phrases show what was truncated.
 */
export function overlapStart(
  transcribedTo: number,
  phrases: readonly Phrase[],
  earliest: number,
  finishedTo: number | null = null,
): number {
  if (finishedTo === null) return startByPhrases(transcribedTo, phrases, earliest)
  const across = phrases.find(({ start, end }) => start < finishedTo && end > finishedTo)
  const starts = [across?.start ?? finishedTo, finishedTo]
  const isInReach = (start: number): boolean =>
    start >= earliest && start <= transcribedTo && transcribedTo - start <= MAX_UNFINISHED_MS
  return starts.find(isInReach) ?? transcribedTo
}

function startByPhrases(transcribedTo: number, phrases: readonly Phrase[], earliest: number): number {
  const [last, before] = phrases.toReversed()
  if (!last || last.end < transcribedTo - END_TOLERANCE_MS)
    return Math.max(earliest, transcribedTo - SILENCE_MS, last ? last.end + TAIL_MS : earliest)
  const isShort = last.end - last.start < SHORT_MS
  const starts =
    isShort && before && last.start - before.end < CONNECTED_MS ? [before.start, last.start] : [last.start]
  return starts.find((start) => start >= earliest && transcribedTo - start <= MAX_PHRASE_MS) ?? transcribedTo
}

/** Engines report the beginning and the end of a phrase to a third of a second. */
export const TIME_TOLERANCE_MS = 350
/** The share of a phrase's time that the second transcription must cover to replace it. */
const MIN_COVERED = 0.5

/**
 * Joins the second transcription of an overlap to the first. It replaces every earlier phrase whose time it covers, whatever the
 * spelling: it had the whole audio of a phrase that was truncated before. An earlier phrase that it does not cover stays, and new
 * phrases within that time are dropped.
 */
export function joinOverlap<Earlier extends Phrase, Again extends Phrase>(
  earlier: readonly Earlier[],
  again: readonly Again[],
  mustStay: (phrase: Earlier) => boolean = () => false,
): { replaced: Earlier[]; added: Again[] } {
  const isCovered = (phrase: Earlier): boolean =>
    again.reduce((sum, other) => sum + sharedMs(phrase, widened(other)), 0) >=
    (phrase.end - phrase.start) * MIN_COVERED
  const { replaced = [], kept = [] } = Object.groupBy(earlier, (phrase) =>
    isCovered(phrase) && !mustStay(phrase) ? 'replaced' : 'kept',
  )
  const keptEnd = kept.at(-1)?.end ?? Number.NEGATIVE_INFINITY
  const added = again
    .filter(({ end }) => end > keptEnd)
    .map((phrase) => ({ ...phrase, start: Math.max(phrase.start, keptEnd) }))
  return { replaced, added }
}

const widened = ({ start, end }: Span): Span => ({
  start: start - TIME_TOLERANCE_MS,
  end: end + TIME_TOLERANCE_MS,
})

type Span = Pick<Phrase, 'start' | 'end'>

/** How long two phrases overlap, in milliseconds. */
export const sharedMs = (one: Span, other: Span): number =>
  Math.max(0, Math.min(one.end, other.end) - Math.max(one.start, other.start))
