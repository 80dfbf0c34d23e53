import { UNCONFIRMED_WORD } from '../../speech/types.ts'

/** False if the speech engine understood no word of the text. */
export function isUnderstood(text: string): boolean {
  // Transcripts of earlier versions have the mark with a capital letter.
  const understood = text.replaceAll('[Unclear]', '').replaceAll(UNCONFIRMED_WORD, '')
  return understood === text || /[\p{L}\p{N}]/u.test(understood)
}

/** With an ellipsis in place of words that were not understood. */
export const readable = (text: string): string =>
  text.replaceAll(` ${UNCONFIRMED_WORD}`, '…').replaceAll(UNCONFIRMED_WORD, '…')
