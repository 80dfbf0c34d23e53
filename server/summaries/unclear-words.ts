import { UNCONFIRMED_WORD } from '../../speech/types.ts'
import { isUnderstood, withMark } from '../../speech/unclear-text.ts'
import { lazy } from '../lazy.ts'
import type { ReportDraft, Utterance } from './summarizer.ts'

/** A segment of at most this many words says nothing that other segments could confirm. */
const MAX_SHORT = 3
/** The confidence of single words that the speech engine invented was up to 0.65. */
const SURE = 0.7
const segmenter = lazy(() => new Intl.Segmenter(undefined, { granularity: 'word' }))

/** False if the speech engine understood no word of a segment, or only a few, and is unsure of them. No title or summary rests on it. */
export function isUsable({ text, confidence = null, original_text = null }: SpokenText): boolean {
  if (!isUnderstood(text)) return false
  if (confidence === null || original_text !== null || confidence >= SURE) return true
  const words = Array.from(segmenter().segment(text)).filter(({ isWordLike }) => isWordLike)
  return words.length > MAX_SHORT
}

interface SpokenText {
  text: string
  /** Null if the engine does not report it. */
  confidence?: number | null
  /** Null if no host corrected the text. */
  original_text?: string | null
}

/** With an ellipsis in place of words that were not understood. */
export const readable = (text: string): string =>
  text.replaceAll(` ${UNCONFIRMED_WORD}`, '…').replaceAll(UNCONFIRMED_WORD, '…')

/** The text of an unclear segment, with the mark that transcripts have, instead of the ellipsis of `readable`. */
export const marked = (text: string): string => withMark(text.replace(/^…[\s\p{P}]*/u, ''))

export const withoutMark = (text: string): string =>
  text.startsWith(`${UNCONFIRMED_WORD} `) ? text.slice(UNCONFIRMED_WORD.length + 1) : text

interface Claim {
  text: string
  utterances: readonly string[]
}

/** Whether claims rest on unclear segments only. */
export function unclearIn(utterances: readonly Utterance[]): (ids: readonly string[]) => boolean {
  const unclear = new Set(utterances.flatMap(({ id, unclear }) => (unclear ? [id] : [])))
  return (ids) => ids.length > 0 && ids.every((id) => unclear.has(id))
}

/** Marks claims that rest on unclear segments only. */
export function markerOf(utterances: readonly Utterance[]): <C extends Claim>(claim: C) => C {
  const isUnclear = unclearIn(utterances)
  return (claim) => (isUnclear(claim.utterances) ? { ...claim, text: marked(claim.text) } : claim)
}

/** Marks sentences and quotations of a report that rest on unclear segments only. */
export function markUnclear(
  draft: ReportDraft,
  conversations: readonly { utterances: readonly Utterance[] }[],
): ReportDraft {
  const mark = markerOf(conversations.flatMap(({ utterances }) => utterances))
  const sections = draft.sections.map((section) => ({
    ...section,
    paragraphs: section.paragraphs.map(mark),
    quotations: section.quotations.map((one) => ({
      ...one,
      text: mark({ text: one.text, utterances: [one.utterance] }).text,
    })),
  }))
  return { ...draft, sections }
}
