import type { SpeakerNames } from '../../../database/tables.ts'
import { UNCLEAR_BELOW } from '../../../speech/types.ts'
import { isUnderstood } from '../../../speech/unclear-text.ts'
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
  /** The time of the correction. */
  edited_at: string | null
}

/** The fields that transcripts, lists and streams of segments show. */
export type SegmentFields = ReturnType<typeof segmentFields>

export function segmentFields(row: StoredSegment, names: SpeakerNames) {
  const { id, corrected, language, confidence, edited_at } = row
  // A phrase that began before a missing chunk can lie before the start.
  const start_ms = Math.max(0, row.start_ms)
  const { text, speaker, unclear } = shownFields(row, names)
  const original_text = corrected === null ? null : row.text
  return {
    id,
    start_ms,
    end_ms: Math.max(start_ms, row.end_ms),
    text,
    original_text,
    speaker,
    language,
    confidence,
    unclear,
    etag: segmentEtag({ text, original_text, edited_at }),
  }
}

/** The fields of a segment that text formats show. */
export function shownFields(
  {
    text,
    corrected,
    speaker,
    confidence,
  }: Pick<StoredSegment, 'text' | 'corrected' | 'speaker' | 'confidence'>,
  names: SpeakerNames,
): { text: string; speaker: string | null; unclear: boolean } {
  const shown = corrected ?? text
  // A host who corrected the text has listened to it. Engines can be sure that no word can be understood.
  const isDoubtful = corrected === null && confidence !== null && confidence < UNCLEAR_BELOW
  return {
    text: shown,
    speaker: speaker && (names[speaker] ?? speaker),
    unclear: isDoubtful || !isUnderstood(shown),
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
