import { UNCONFIRMED_WORD } from './types.ts'

/** Transcripts of earlier versions have the placeholder with a capital letter. */
const PLACEHOLDERS = /\[unclear\]/gi
const BEGINS_WITH_PLACEHOLDER = /^\[unclear\]/i

/** False if the speech engine understood no word of the text. */
export function isUnderstood(text: string): boolean {
  const understood = text.replace(PLACEHOLDERS, '')
  return understood === text || /[\p{L}\p{N}]/u.test(understood)
}

/** An unclear text with its mark. The placeholder of words that were not understood is the same, and is not repeated. */
export function withMark(text: string): string {
  if (!isUnderstood(text)) return UNCONFIRMED_WORD
  return BEGINS_WITH_PLACEHOLDER.test(text) ? text : `${UNCONFIRMED_WORD} ${text}`
}
