import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { World } from './world.ts'

/** What the database and the disk hold when all is over, read without the service. */
export interface Evidence {
  conversations: Map<string, ConversationFound>
  /** Bytes by their names, for each conversation's folder. */
  files: Map<string, Map<string, Buffer>>
  reports: ReportFound[]
}

export interface ReportFound {
  id: string
  status: string
  failure: string | null
  /** As it is stored; null until it is ready. */
  document: string | null
  /** Types of those that tell of it. */
  events: string[]
}

export interface ConversationFound {
  id: string
  status: string
  failure: string | null
  revision: number
  summary: unknown
  audio: unknown
  deleted_at: string | null
  erased_at: string | null
  chunks: { seq: number; digest: string; state: string }[]
  /** In order. */
  lines: string[]
  /** What was written, in order. */
  texts: string[]
  events: { type: string; revision: number | null; transcript: string | null }[]
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
const EVENTS = 'select type, subject_id, full_body from events'

export const gather = (world: World): Promise<Evidence> =>
  asking(world, async (client) => {
    const { rows } = await client.query<ConversationFound>(CONVERSATIONS)
    const conversations = new Map(rows.map((row) => [row.id, { ...row, events: [] as EventFound[] }]))
    const events = await client.query<EventRow>(EVENTS)
    for (const row of events.rows) conversations.get(row.subject_id)?.events.push(toEvent(row))
    const reports = await client.query<ReportFound>(REPORTS)
    const files = await readFiles(join(world.disk.folder, 'files/conversations'))
    return { conversations, files, reports: reports.rows }
  })

/** On a connection that does not wait for ever: whoever asks may be the one who tells what is wrong. */
async function asking<T>({ cluster }: World, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: cluster.url,
    options: '-c search_path=parley',
    connectionTimeoutMillis: 10_000,
    query_timeout: 60_000,
  })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

type EventFound = ConversationFound['events'][number]

interface EventRow {
  type: string
  subject_id: string
  full_body: Buffer | null
}

function toEvent({ type, full_body }: EventRow): EventFound {
  const conversation = full_body === null ? null : JSON.parse(full_body.toString()).data.conversation
  return { type, revision: conversation?.revision ?? null, transcript: conversation?.transcript ?? null }
}

async function readFiles(folder: string): Promise<Evidence['files']> {
  const found: Evidence['files'] = new Map()
  // Not made before the first chunk.
  if (!existsSync(folder)) return found
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const id = entry.parentPath.split('/').at(-1) as string
    const files = found.get(id) ?? new Map<string, Buffer>()
    found.set(id, files.set(entry.name, await readFile(join(entry.parentPath, entry.name))))
  }
  return found
}

/** How many of these conversations and reports are not at their end, by what they wait for. */
export const readOpen = (world: World, ids: string[], reports: string[]): Promise<Map<string, number>> =>
  asking(world, async (client) => {
    const { rows } = await client.query<{ state: string; count: string }>(
      `select case when deleted_at is not null then 'erasing' when status = 'done' then 'joining' else status end as state,
         count(*) as count
       from conversations
       where id = any($1) and erased_at is null and status <> 'failed'
         and not (deleted_at is null and status = 'done' and audio is not null)
       group by 1
       union all
       select 'report ' || status, count(*) from reports
       where id = any($2) and status not in ('ready', 'failed') group by 1`,
      [ids, reports],
    )
    return new Map(rows.map(({ state, count }) => [state, Number(count)]))
  })

/** The jobs that wait or run, in words. */
export const readJobs = (world: World): Promise<string[]> =>
  asking(world, async (client) => {
    const { rows } = await client.query<{ job: string }>(
      `select format('%s × job %s: %s, up to %s tries, next in %s s', count(*), name, state, max(retry_count),
         greatest(0, ceil(extract(epoch from min(start_after) - now())))) as job
       from jobs.job where state < 'completed' group by name, state order by name, state`,
    )
    return rows.map(({ job }) => job)
  })
