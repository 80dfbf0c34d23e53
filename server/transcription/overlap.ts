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
/** Transcribed again after a pause: it can contain the soft beginning of the next word. */
const SILENCE_MS = 1_000
/** Left out after a phrase, so that the end of its last word is not transcribed again. */
const TAIL_MS = 250

/**
 * Where to begin when the audio after `transcribedTo` is transcribed. A phrase that was truncated there is transcribed again from its
 * beginning. Without this, chunks of 7 s had 9 % of their words wrong; with it, as few as a whole recording.
 */
export function overlapStart(transcribedTo: number, phrases: readonly Phrase[], earliest: number): number {
  const [last, before] = phrases.toReversed()
  if (!last || last.end < transcribedTo - END_TOLERANCE_MS)
    return Math.max(earliest, transcribedTo - SILENCE_MS, last ? last.end + TAIL_MS : earliest)
  const isShort = last.end - last.start < SHORT_MS
  const starts =
    isShort && before && last.start - before.end < CONNECTED_MS ? [before.start, last.start] : [last.start]
  return starts.find((start) => start >= earliest && transcribedTo - start <= MAX_PHRASE_MS) ?? transcribedTo
}

/** A shorter phrase is a word or a part of one, which can look different when it is transcribed whole. */
const FRAGMENT_MS = 1_000

/** Whether the second transcription of an overlap contains the first one, which is then deleted. */
export function isReplaced(
  first: readonly Phrase[],
  second: readonly Phrase[],
  transcribedTo: number,
): boolean {
  const again = second.filter(({ start }) => start < transcribedTo)
  const length = (first.at(-1)?.end ?? 0) - (first[0]?.start ?? 0)
  return length < FRAGMENT_MS ? again.length > 0 : isContained(textOf(first), textOf(again))
}

const textOf = (phrases: readonly Phrase[]): string => phrases.map(({ text }) => text).join(' ')

/** The share of the first text's letter pairs that the second must have. */
const MIN_SHARED_PAIRS = 0.5

/** Whether the second text contains the phrase. Repeated pairs count once: truncated audio makes some engines repeat themselves. */
export function isContained(phrase: string, second: string): boolean {
  const [letters, secondLetters] = [lettersOf(phrase), lettersOf(second)]
  if (letters.length < 2) return secondLetters.includes(letters[0] ?? '')
  const [pairs, secondPairs] = [pairsOf(letters), pairsOf(secondLetters)]
  return pairs.intersection(secondPairs).size >= pairs.size * MIN_SHARED_PAIRS
}

const lettersOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]/gu) ?? []

const pairsOf = (letters: readonly string[]): Set<string> =>
  new Set(letters.slice(1).map((letter, index) => `${letters[index]}${letter}`))
