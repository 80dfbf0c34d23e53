import { sql } from 'kysely'
import type { Context } from '../../api/route-spec.ts'
import type { ProjectTarget } from '../../auth/index.ts'
import { noteStaffWatching } from '../../tenancy/index.ts'
import { endOf, LONGEST_WORD } from '../participant/end-of-text.ts'
import type { ConversationRow } from '../payload.ts'
import { formatCode } from '../short-code.ts'
import type { LiveRoomRecord } from './schema.ts'

const MAX_RECORDINGS = 200
/** About the last minute of speech. */
const LATEST_SEGMENTS = 8
/** As much as the latest segments have. A text can have 100,000 characters, and the room is read every 5 seconds. */
const WRITTEN_CHARACTERS = 1_000
const LATEST_TEXTS = 4
/** A finished recording stays for this time, so that a table does not vanish while someone looks for it. */
const SHOWN_AFTER_FINISH = sql`interval '10 minutes'`

/** After a pause begins, the audio before it still arrives. Audio after this time ends the pause, should the heartbeat that says so be lost. */
const LATE_AUDIO = sql`interval '30 seconds'`

type Row = ConversationRow & {
  now: string
  is_paused: boolean
  segments: { id: string; text: string }[] | null
  written: string | null
}

/**
 * Everyone who is recording, or finished a short time ago. Each half of the condition has an index: 40 recordings with their text, in
 * a project of 100,000 conversations, take 1 ms.
 */
export async function readLiveRoom(context: Context<ProjectTarget>): Promise<LiveRoomRecord> {
  const { db, target } = context
  await noteStaffWatching(context, 'conversation.stream', { kind: 'project', id: target.id })
  const { rows } = await sql<Row>`
    select c.*, now() as now, latest.segments, typed.written,
      c.paused_at is not null and coalesce(c.paused_at + ${LATE_AUDIO} > (
        select k.received_at from chunks k where k.conversation_id = c.id order by k.seq desc limit 1
      ), true) as is_paused
    from conversations c left join lateral (
      select json_agg(json_build_object('id', s.id, 'text', s.text) order by s.chunk_seq, s.position) as segments
      from (
        select s.id, coalesce(k.text, s.text) as text, s.chunk_seq, s.position
        from segments s left join segment_corrections k on k.segment_id = s.id
        where s.conversation_id = c.id
        order by s.chunk_seq desc, s.position desc
        limit ${LATEST_SEGMENTS}
      ) s
    ) latest on true left join lateral (
      select string_agg(t.text, E'\\n' order by t.id) as written
      from (
        select t.id, right(t.content, ${WRITTEN_CHARACTERS + LONGEST_WORD}) as text
        from text_entries t
        where t.conversation_id = c.id
        order by t.id desc
        limit ${LATEST_TEXTS}
      ) t
    ) typed on true
    where c.project_id = ${target.id} and c.deleted_at is null and c.source <> 'upload'
      and (c.status = 'recording' or (c.status <> 'recording' and c.finished_at > now() - ${SHOWN_AFTER_FINISH}))
    order by c.id desc
    limit ${MAX_RECORDINGS}`.execute(db)
  return { at: rows[0]?.now ?? new Date().toISOString(), recordings: rows.reverse().map(toRecording) }
}

const toRecording = (row: Row): LiveRoomRecord['recordings'][number] => ({
  id: row.id,
  code: row.code && formatCode(row.code),
  status: row.status,
  failure: row.failure,
  source: row.source === 'portal_text' ? 'portal_text' : 'portal_audio',
  participant_name: row.participant_name,
  title: row.title,
  tags: row.tags,
  started_at: row.started_at,
  finished_at: row.finished_at,
  last_active_at: row.active_at,
  is_paused: row.status === 'recording' && row.is_paused,
  duration_seconds: row.duration_ms / 1000,
  missing_seconds: row.missing_ms / 1000,
  segments: row.segments ?? [],
  written_text: row.written && endOf(row.written, WRITTEN_CHARACTERS),
})
