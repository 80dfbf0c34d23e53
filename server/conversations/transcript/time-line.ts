import { paragraphs, plainText } from '../../api/files/plain-text.ts'

/** The parts of a conversation in order: transcribed, missing, or typed by the participant. */
export type TimeLinePiece =
  | { id?: string; start_ms: number; end_ms: number; text: string }
  | { gap: true; start_ms: number; end_ms: number; reason: string }
  | { id?: string; written: true; at_ms: number; text: string }

export interface TimeLineSource {
  title: string
  participant: string | null
  /** ISO 639-1. */
  language: string | null
  /** ISO 8601. */
  started_at: string
  pieces: readonly TimeLinePiece[]
}

export type TimeLineEntry =
  | { kind: 'said' | 'written'; id?: string; start_ms: number; end_ms: number; text: string }
  | { kind: 'missing'; start_ms: number; end_ms: number; reason: string }

/**
 * What every export is made from. Each text is one line that is not empty; entries are sorted, each ends after it starts,
 * and what was said or is missing never overlaps. A text entry can overlap with speech.
 */
export interface TimeLine {
  title: string
  participant: string | null
  language: string | null
  started_at: string
  entries: TimeLineEntry[]
}

/** A text entry has no duration; captions show it for this time. */
const WRITTEN_MS = 4_000

/** 999:59:59.999, the latest time that players support. Later times come from broken containers. */
const LAST_MS = 3_600_000_000 - 1

export function timeLine(source: TimeLineSource): TimeLine {
  const entries = source.pieces.flatMap(entriesOf).sort(byStart)
  cutOverlaps(entries.filter((entry) => entry.kind !== 'written'))
  return {
    title: plainText(source.title) || 'Conversation',
    participant: plainText(source.participant ?? '') || null,
    language: plainText(source.language ?? '') || null,
    started_at: plainText(source.started_at),
    entries: entries.sort(byStart),
  }
}

/** The text for formats without kinds of entries; brackets mark what was not spoken. */
export function shownText(entry: TimeLineEntry): string {
  if (entry.kind === 'missing') return entry.reason ? `[audio missing: ${entry.reason}]` : '[audio missing]'
  return entry.kind === 'written' ? `[written] ${entry.text}` : entry.text
}

function entriesOf(piece: TimeLinePiece): TimeLineEntry[] {
  if ('written' in piece) {
    const start_ms = moment(piece.at_ms)
    return paragraphs(piece.text).map((text) => ({
      kind: 'written',
      ...named(piece),
      start_ms,
      end_ms: start_ms + WRITTEN_MS,
      text,
    }))
  }
  const span = { start_ms: moment(piece.start_ms), end_ms: moment(piece.end_ms) }
  if ('gap' in piece) return [{ kind: 'missing', ...span, reason: plainText(piece.reason) }]
  const text = plainText(piece.text)
  return text ? [{ kind: 'said', ...named(piece), ...span, text }] : []
}

/** The points of a summary refer to these ids. */
const named = ({ id }: { id?: string }): { id?: string } => (id === undefined ? {} : { id })

function moment(ms: number): number {
  if (Number.isNaN(ms)) return 0
  return Math.min(Math.max(Math.round(ms), 0), LAST_MS)
}

function byStart(a: TimeLineEntry, b: TimeLineEntry): number {
  return a.start_ms - b.start_ms
}

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
