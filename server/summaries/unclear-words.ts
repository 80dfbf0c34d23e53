import { UNCONFIRMED_WORD } from '../../speech/types.ts'
import type { ReportDraft, Utterance } from './summarizer.ts'

/** False if the speech engine understood no word of the text. */
export function isUnderstood(text: string): boolean {
  // Transcripts of earlier versions have the mark with a capital letter.
  const understood = text.replaceAll('[Unclear]', '').replaceAll(UNCONFIRMED_WORD, '')
  return understood === text || /[\p{L}\p{N}]/u.test(understood)
}

/** With an ellipsis in place of words that were not understood. */
export const readable = (text: string): string =>
  text.replaceAll(` ${UNCONFIRMED_WORD}`, '…').replaceAll(UNCONFIRMED_WORD, '…')

/** The text of an unclear segment, with the mark that transcripts have. */
export const marked = (text: string): string =>
  text.startsWith(UNCONFIRMED_WORD) ? text : `${UNCONFIRMED_WORD} ${text.replace(/^…[\s\p{P}]*/u, '')}`

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
