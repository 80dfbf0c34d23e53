import { UNCLEAR_BELOW } from '../../../speech/types.ts'

/** A host who corrected the text has listened to it. */
export const isUnclear = (confidence: number | null, corrected: string | null): boolean =>
  corrected === null && confidence !== null && confidence < UNCLEAR_BELOW
