import type { SpeakerNames } from '../../../database/tables.ts'
import { UNCLEAR_BELOW } from '../../../speech/types.ts'
import { etagOf } from '../../api/response.ts'

/** A stored segment with its correction. Times are milliseconds from the start of the conversation. */
export interface StoredSegment {
  id: string
  start_ms: number
  end_ms: number
  text: string
  corrected: string | null
  speaker: string | null
  language: string | null
  confidence: number | null
  /** Of the correction. */
  edited_at: string | null
}

/** The fields that transcripts, lists and streams of segments show. */
export type SegmentFields = ReturnType<typeof segmentFields>

export function segmentFields(row: StoredSegment, names: SpeakerNames) {
  const { id, text, corrected, speaker, language, confidence } = row
  // A phrase that began before a missing chunk can lie before the start.
  const start_ms = Math.max(0, row.start_ms)
  const shown = { text: corrected ?? text, original_text: corrected === null ? null : text }
  return {
    id,
    start_ms,
    end_ms: Math.max(start_ms, row.end_ms),
    ...shown,
    speaker: speaker && (names[speaker] ?? speaker),
    language,
    confidence,
    // A host who corrected the text has listened to it.
    unclear: corrected === null && confidence !== null && confidence < UNCLEAR_BELOW,
    etag: segmentEtag({ ...shown, edited_at: row.edited_at }),
  }
}

type Version = Record<'text' | 'original_text' | 'edited_at', string | null>

/** The fields that `If-Match` compares. Times are left out: they grow when audio arrives late. */
export const segmentVersion = ({ text, original_text, edited_at }: Version): Version => ({
  text,
  original_text,
  edited_at,
})

const segmentEtag = (segment: Version): string => {
  const version = segmentVersion(segment)
  return etagOf(version, version)
}
