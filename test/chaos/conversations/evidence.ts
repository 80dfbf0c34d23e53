import type { Cluster } from '../framework/cluster.ts'
import type { RecordingFiles, StoredFiles } from './recording-files.ts'

/** The contents of the database and the file store at the end, read without code of the service. */
export interface Evidence {
  conversations: Map<string, StoredConversation>
  files: StoredFiles
  reports: StoredReport[]
}

export interface StoredReport {
  id: string
  status: string
  failure: string | null
  /** Null until it is ready. */
  document: string | null
  /** The types of its events. */
  events: string[]
}

export interface StoredConversation {
  id: string
  status: string
  failure: string | null
  revision: number
  summary: unknown
  audio: unknown
  deleted_at: string | null
  erased_at: string | null
  chunks: { seq: number; digest: string; state: string }[]
  /** The lines of the transcript, in order. */
  lines: string[]
  /** The text entries, in order. */
  texts: string[]
  events: StoredEvent[]
}

interface StoredEvent {
  type: string
  revision: number | null
  transcript: string | null
}

const CONVERSATIONS = `
  select id, status, failure, revision, summary, audio, deleted_at, erased_at,
    (select coalesce(json_agg(json_build_object('seq', seq, 'digest', encode(digest, 'hex'), 'state', state) order by seq), '[]')
     from chunks where conversation_id = c.id) as chunks,
    (select coalesce(json_agg(text order by chunk_seq, position), '[]') from segments where conversation_id = c.id) as lines,
    (select coalesce(json_agg(content order by id), '[]') from text_entries where conversation_id = c.id) as texts
  from conversations c`
const REPORTS = `
  select id, status, failure, document::text,
    (select coalesce(json_agg(type), '[]') from events where subject_id = r.id) as events
  from reports r`
const UNFINISHED = `
  select case when deleted_at is not null then 'erasing' when status = 'done' then 'joining' else status end as state,
    count(*)::integer as count
  from conversations
  where id = any($1) and erased_at is null and status <> 'failed'
    and not (deleted_at is null and status = 'done' and audio is not null)
  group by 1
  union all
  select 'report ' || status, count(*)::integer from reports
  where id = any($2) and status not in ('ready', 'failed') group by 1`
const JOBS = `
  select format('%s × job %s: %s, up to %s retries, next in %s s', count(*), name, state, max(retry_count),
    greatest(0, ceil(extract(epoch from min(start_after) - now())))) as job
  from jobs.job where state < 'completed' group by name, state order by name, state`

export async function readEvidence(
  { query }: Pick<Cluster, 'query'>,
  files: Pick<RecordingFiles, 'read'>,
): Promise<Evidence> {
  const rows = await query<StoredConversation>(CONVERSATIONS)
  const conversations = new Map(rows.map((row) => [row.id, { ...row, events: [] as StoredEvent[] }]))
  const events = await query<{ type: string; subject_id: string; full_body: Buffer | null }>(
    'select type, subject_id, full_body from events',
  )
  for (const { type, subject_id, full_body } of events) {
    const conversation = full_body === null ? null : JSON.parse(full_body.toString()).data.conversation
    conversations.get(subject_id)?.events.push({
      type,
      revision: conversation?.revision ?? null,
      transcript: conversation?.transcript ?? null,
    })
  }
  return { conversations, files: await files.read(), reports: await query<StoredReport>(REPORTS) }
}

/** How many of these conversations and reports the service has not finished, with their states. */
export async function readUnfinished(
  { query }: Pick<Cluster, 'query'>,
  conversationIds: string[],
  reportIds: string[],
): Promise<string[]> {
  const rows = await query<{ state: string; count: number }>(UNFINISHED, [conversationIds, reportIds])
  return rows.map(({ state, count }) => `${count} × ${state}`)
}

/** The jobs that wait or run. */
export const readJobs = async ({ query }: Pick<Cluster, 'query'>): Promise<string[]> =>
  (await query<{ job: string }>(JOBS)).map(({ job }) => job)
