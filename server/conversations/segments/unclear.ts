/** Segments below this confidence are marked as unclear: the engine is more likely wrong than right. */
const UNCLEAR_BELOW = 0.55

/** A host who corrected the text has listened to it. */
export const isUnclear = (confidence: number | null, corrected: string | null): boolean =>
  corrected === null && confidence !== null && confidence < UNCLEAR_BELOW
