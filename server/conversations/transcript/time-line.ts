import type { Db } from '../../../database/database.ts'
import type { SegmentWord } from '../../../database/tables.ts'
import { withMark } from '../../../speech/unclear-text.ts'
import { paragraphs, plainText } from '../../api/files/plain-text.ts'
import type { ConversationRow } from '../payload.ts'
import { loadTranscript, type SpokenPiece, type TranscriptPiece } from './load-transcript.ts'

interface Heading {
  title: string
  participant: string | null
  /** ISO 639-1. */
  language: string | null
  /** ISO 8601. */
  started_at: string
}

/** Optional details of a spoken entry; fields without a value are left out. */
interface SpokenDetails {
  speaker?: string
  /** ISO 639-1. */
  language?: string
  /** From 0 to 1. */
  confidence?: number
  unclear?: true
  /** The engine's text, if a host corrected it. */
  original_text?: string
  /** The version of the text, for corrections. */
  etag?: string
  words?: SegmentWord[]
}

export type TimeLineEntry =
  | ({ kind: 'said'; id: string; start_ms: number; end_ms: number; text: string } & SpokenDetails)
  | { kind: 'written'; id: string; start_ms: number; end_ms: number; text: string }
  | { kind: 'missing'; start_ms: number; end_ms: number; reason: string }

/**
 * The input of every transcript format. Each text is one line that is not empty; entries are sorted, each ends after it starts,
 * and spoken or missing entries never overlap. A text entry can overlap with speech.
 */
export interface TimeLine extends Heading {
  entries: TimeLineEntry[]
}

/** A text entry has no duration; captions show it for this time. */
const WRITTEN_MS = 4_000

/** 999:59:59.999, the latest time that players support. Later times come from broken containers. */
const LAST_MS = 3_600_000_000 - 1

export async function loadTimeLine(db: Db, row: ConversationRow): Promise<TimeLine> {
  const pieces = await loadTranscript(db, row)
  const { title, participant_name: participant, detected_language, started_at } = row
  const language = detected_language ?? row.language
  return timeLine({ title: title ?? '', participant, language, started_at, pieces })
}

export function timeLine(source: Heading & { pieces: readonly TranscriptPiece[] }): TimeLine {
  return {
    title: plainText(source.title) || 'Conversation',
    participant: plainText(source.participant ?? '') || null,
    language: plainText(source.language ?? '') || null,
    started_at: plainText(source.started_at),
    entries: sortedEntries(source.pieces),
  }
}

function sortedEntries(pieces: readonly TranscriptPiece[]): TimeLineEntry[] {
  const entries = pieces.flatMap(entriesOf).sort(byStart)
  cutOverlaps(entries.filter((entry) => entry.kind !== 'written'))
  return entries.sort(byStart)
}

/**
 * Spoken and typed text, for events and live text: a line each, with speakers and unclear marks. Gaps are left out, since late audio
 * can still fill them.
 */
export const plainTranscript = (pieces: readonly TranscriptPiece[]): string =>
  sortedEntries(pieces)
    .filter((entry) => entry.kind !== 'missing')
    .map((entry) => (entry.kind === 'written' ? entry.text : shownText(entry)))
    .join('\n')

/** The text for formats without kinds of entries; brackets mark what was not spoken. */
export function shownText(entry: TimeLineEntry): string {
  if (entry.kind === 'missing') return entry.reason ? `[audio missing: ${entry.reason}]` : '[audio missing]'
  if (entry.kind === 'written') return `[written] ${entry.text}`
  const text = entry.unclear ? withMark(entry.text) : entry.text
  return entry.speaker ? `${entry.speaker}: ${text}` : text
}

function entriesOf(piece: TranscriptPiece): TimeLineEntry[] {
  if ('written' in piece) {
    const start_ms = moment(piece.at_ms)
    const entry = { kind: 'written', id: piece.id, start_ms, end_ms: start_ms + WRITTEN_MS } as const
    return paragraphs(piece.text).map((text) => ({ ...entry, text }))
  }
  const span = { start_ms: moment(piece.start_ms), end_ms: moment(piece.end_ms) }
  if ('gap' in piece) return [{ kind: 'missing', ...span, reason: plainText(piece.reason) }]
  const text = plainText(piece.text)
  return text ? [{ kind: 'said', id: piece.id, ...span, text, ...detailsOf(piece) }] : []
}

function detailsOf({
  speaker,
  language,
  confidence,
  unclear,
  original_text,
  etag,
  words,
}: SpokenPiece): SpokenDetails {
  const shown = plainText(speaker ?? '')
  return {
    ...(shown && { speaker: shown }),
    ...(language && { language }),
    ...(confidence != null && { confidence }),
    ...(unclear && { unclear }),
    ...(original_text != null && { original_text: plainText(original_text) }),
    ...(etag && { etag }),
    ...(words && { words }),
  }
}

const moment = (ms: number): number => (Number.isNaN(ms) ? 0 : Math.min(Math.max(Math.round(ms), 0), LAST_MS))

const byStart = (a: TimeLineEntry, b: TimeLineEntry): number => a.start_ms - b.start_ms

/** Users jump to starts, so they stay: the earlier of two entries ends sooner, and equal starts become 1 ms apart. */
function cutOverlaps(sorted: TimeLineEntry[]): void {
  let previous: TimeLineEntry | undefined
  for (const entry of sorted) {
    if (previous) {
      entry.start_ms = Math.max(entry.start_ms, previous.start_ms + 1)
      previous.end_ms = Math.min(previous.end_ms, entry.start_ms)
    }
    entry.end_ms = Math.max(entry.end_ms, entry.start_ms + 1)
    previous = entry
  }
}

/** `01:02:03`, or with `fraction` (the separator of the milliseconds) `01:02:03.004`. Hours can have more than two digits. */
export function clockTime(ms: number, fraction?: '.' | ','): string {
  const seconds = Math.floor(ms / 1_000)
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':')
  return fraction ? `${clock}${fraction}${String(ms % 1_000).padStart(3, '0')}` : clock
}
