import type { Schemas } from '../api/client.ts'

type Recording = Schemas['LiveRecording']

interface LiveSegment {
  id: string
  text: string
  /** When it came by the stream, by the clock of this page; 0: it was read with the room. */
  seenAt: number
}

/** One table of the room: a recording with its latest text. */
export interface Table extends Omit<Recording, 'segments'> {
  segments: readonly LiveSegment[]
}

/** By id, which is also the order in which the recordings started: tiles keep their places. */
export type Room = ReadonlyMap<string, Table>

/** As the stream sends it. */
export type ConversationEvent =
  | { id: string; deleted: true }
  | (Pick<
      Recording,
      | 'id'
      | 'status'
      | 'failure'
      | 'participant_name'
      | 'title'
      | 'started_at'
      | 'finished_at'
      | 'duration_seconds'
    > & { deleted: false; source: Recording['source'] | 'upload' })

export type SegmentEvent =
  | { id: string; conversation_id: string; deleted: true }
  | { id: string; conversation_id: string; deleted: false; text: string }

const MAX_SEGMENTS = 12

/**
 * The room as the API shows it. Text that came by the stream after the request was sent can be newer than the response, and is kept.
 */
export function withSnapshot(room: Room, { recordings }: Schemas['LiveRoom'], requestedAt: number): Room {
  return new Map(
    recordings.map((recording) => {
      const read = recording.segments.map((segment) => ({ ...segment, seenAt: 0 }))
      const known = new Set(read.map(({ id }) => id))
      const newer = room
        .get(recording.id)
        ?.segments.filter(({ id, seenAt }) => seenAt >= requestedAt && !known.has(id))
      return [recording.id, { ...recording, segments: [...read, ...(newer ?? [])].slice(-MAX_SEGMENTS) }]
    }),
  )
}

/** A conversation began, changed or was deleted. Uploads are not in the room. */
export function withConversation(room: Room, event: ConversationEvent, now: string): Room {
  const table = room.get(event.id)
  if (event.deleted) return table ? without(room, event.id) : room
  const { deleted: _, source, ...state } = event
  if (source === 'upload' || (!table && event.status !== 'recording')) return room
  const { tags, code, missing_seconds, last_active_at, is_paused, segments, written_text } = table ?? {
    tags: [],
    code: null,
    missing_seconds: 0,
    last_active_at: now,
    is_paused: false,
    segments: [],
    written_text: null,
  }
  const kept = { tags, code, missing_seconds, last_active_at, is_paused, segments, written_text }
  return withTable(room, { ...state, source, ...kept })
}

/** A new segment is the latest; one that is known was corrected, or replaced by others. */
export function withSegment(room: Room, event: SegmentEvent, now: number): Room {
  const table = room.get(event.conversation_id)
  if (!table) return room
  const others = table.segments.filter(({ id }) => id !== event.id)
  if (event.deleted) return withTable(room, { ...table, segments: others })
  const segment = { id: event.id, text: event.text, seenAt: now }
  const isKnown = others.length < table.segments.length
  const segments = isKnown
    ? table.segments.map((one) => (one.id === event.id ? segment : one))
    : [...others, segment].slice(-MAX_SEGMENTS)
  return withTable(room, { ...table, segments })
}

const without = (room: Room, id: string): Room => new Map([...room].filter(([other]) => other !== id))

/** A new table comes last. */
const withTable = (room: Room, table: Table): Room => new Map([...room, [table.id, table]])

export type Trouble = 'failed' | 'silent' | 'gap'

/** A phone that records sends audio every 5 or 10 s. */
const SILENT_AFTER_MS = 30_000
/** One that is paused sends a heartbeat every 2 minutes. */
const SILENT_IN_PAUSE_AFTER_MS = 5 * 60_000

/** The most severe problem of a table; null if it has none. Times are those of the server, in milliseconds. */
export function troubleOf(table: Table, now: number): Trouble | null {
  if (table.status === 'failed') return 'failed'
  if (isSilent(table, now)) return 'silent'
  return table.status === 'recording' && table.missing_seconds > 0 ? 'gap' : null
}

/** People who write are not asked to write every 30 s. */
const isSilent = (table: Table, now: number): boolean =>
  table.status === 'recording' &&
  !isWriting(table) &&
  now - Date.parse(table.last_active_at) > (table.is_paused ? SILENT_IN_PAUSE_AFTER_MS : SILENT_AFTER_MS)

export const isWriting = ({ status, source }: Table): boolean =>
  status === 'recording' && source === 'portal_text'

/** Spoken words, then typed ones: the recording page sends what was typed when the participant is done. */
export const textOf = ({ segments, written_text }: Table): string =>
  [...segments.map(({ text }) => text), written_text ?? ''].filter((text) => text !== '').join(' ')

/**
 * In seconds: since the start while it is open, afterwards the length of the audio. Null if there is no audio, or its length is not
 * known yet: a file that is uploaded as a whole starts and ends within a second.
 */
export function timeOf({ status, started_at, duration_seconds }: Table, now: number): number | null {
  if (status === 'recording') return now - Date.parse(started_at) / 1_000
  return status === 'transcribing' || duration_seconds === 0 ? null : duration_seconds
}
