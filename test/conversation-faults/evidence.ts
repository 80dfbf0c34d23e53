import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { World } from './world.ts'

/** What the database and the disk hold when all is over, read without the service. */
export interface Evidence {
  conversations: Map<string, ConversationFound>
  /** Bytes by their names, for each conversation's folder. */
  files: Map<string, Map<string, Buffer>>
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
  events: { type: string; revision: number | null; transcript: string | null }[]
}

const CONVERSATIONS = `
  select id, status, failure, revision, summary, audio, deleted_at, erased_at,
    (select coalesce(json_agg(json_build_object('seq', seq, 'digest', encode(digest, 'hex'), 'state', state) order by seq), '[]')
     from chunks where conversation_id = c.id) as chunks,
    (select coalesce(json_agg(text order by chunk_seq, place), '[]') from segments where conversation_id = c.id) as lines
  from conversations c`
const EVENTS = 'select type, subject_id, full_body from events'

export async function gather(world: World): Promise<Evidence> {
  const client = new pg.Client({ connectionString: world.cluster.url, options: '-c search_path=parley' })
  await client.connect()
  try {
    const { rows } = await client.query<ConversationFound>(CONVERSATIONS)
    const conversations = new Map(rows.map((row) => [row.id, { ...row, events: [] as EventFound[] }]))
    const events = await client.query<EventRow>(EVENTS)
    for (const row of events.rows) conversations.get(row.subject_id)?.events.push(toEvent(row))
    return { conversations, files: await readFiles(join(world.disk.folder, 'files/conversations')) }
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
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const id = entry.parentPath.split('/').at(-1) as string
    const files = found.get(id) ?? new Map<string, Buffer>()
    found.set(id, files.set(entry.name, await readFile(join(entry.parentPath, entry.name))))
  }
  return found
}

/** How many conversations of these are not at their end, by what they wait for. */
export async function readOpen(world: World, ids: string[]): Promise<Map<string, number>> {
  const client = new pg.Client({ connectionString: world.cluster.url, options: '-c search_path=parley' })
  await client.connect()
  try {
    const { rows } = await client.query<{ state: string; count: string }>(
      `select case when deleted_at is not null then 'erasing' when status = 'done' then 'joining' else status end as state,
         count(*) as count
       from conversations
       where id = any($1) and erased_at is null and status <> 'failed'
         and not (deleted_at is null and status = 'done' and audio is not null)
       group by 1`,
      [ids],
    )
    return new Map(rows.map(({ state, count }) => [state, Number(count)]))
  } finally {
    await client.end()
  }
}
