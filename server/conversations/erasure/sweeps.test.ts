import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { type Database, openDatabase } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { openDiskStore } from '../../../storage/disk-store.ts'
import { newPortal } from '../../../test/support/conversations.ts'
import { finishIdleConversations } from '../lifecycle/finish-idle-conversations.ts'
import { recoverStalledSteps } from '../lifecycle/recover-stalled.ts'
import { backend, lifecycle, portal, query, setUp } from '../testing/setup.ts'
import { sweepUploads } from '../uploads/sweep-uploads.ts'
import { recoverStalledErasures, sweepConversations } from './sweep.ts'

const CONVERSATIONS = 20_000
const PROJECTS = 4_000
/** Projects with a retention period. */
const WITH_RETENTION = 20

/** One connection, whose reads are counted. */
let database: Database
setUp({ enqueues: true }, {}, async (stack) => {
  database = openDatabase({ url: backend.databaseUrl, schema: 'parley', applicationName: 'sweeps', max: 1 })
  stack.defer(() => database.close())
  await fill()
})

/** Conversations of every age and state in many projects; none is due. */
async function fill(): Promise<void> {
  // The backend's connections would cancel such long statements.
  const client = new pg.Client({ connectionString: backend.databaseUrl })
  await client.connect()
  await client.query('set search_path = parley')
  await client.query(
    `insert into projects (id, workspace_id, name, language, languages, is_open, ask_name, ask_email, tags, hotwords,
       retention_days, deleted_at)
     select gen_random_uuid(), $1, 'Project ' || n, 'en', '[]', true, false, false, '[]', '[]',
       case when n <= $3 then 30 end, case when n % 5 = 0 then now() - interval '1 year' end
     from generate_series(1, $2::integer) n`,
    [portal.workspaceId, PROJECTS, WITH_RETENTION],
  )
  await client.query(
    `insert into conversations (id, project_id, status, source, started_at, active_at, finished_at, deleted_at, erased_at)
     select gen_random_uuid(), p.id, case when n % 1000 = 1 then 'recording' else 'done' end, 'portal_audio', at, now(),
       case when n % 1000 <> 1 then at end, gone, gone
     from generate_series(1, $1::integer) n
     join (select id, retention_days, deleted_at, row_number() over (order by id) - 1 as place
       from projects where workspace_id = $2) p on p.place = n % $3
     cross join lateral (select now() - least(n % 1000, coalesce(p.retention_days - 1, 1000)) * interval '1 day' as at) times
     cross join lateral (select case when n % 10 = 0 or p.deleted_at is not null then now() end as gone) ends`,
    [CONVERSATIONS, portal.workspaceId, PROJECTS],
  )
  await client.query('vacuum analyze conversations, projects')
  await client.end()
}

interface Reading {
  rows: number
  /** Tables that were read from end to end. */
  whole: string[]
}

const COUNTS = `
  select relname as table, seq_scan::int as scans,
    (seq_tup_read + coalesce(idx_tup_fetch, 0)
      + (select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid))::int as rows
  from pg_stat_user_tables t where relname in ('conversations', 'projects')`

/** How much some work reads, as PostgreSQL counts it. */
async function readingOf(work: () => Promise<unknown>): Promise<Reading> {
  const counts = async () => {
    // Statistics of this connection, which PostgreSQL publishes only at the next pause.
    await database.pool.query('select pg_stat_force_next_flush()')
    await database.pool.query('select pg_stat_clear_snapshot()')
    return (await database.pool.query<{ table: string; scans: number; rows: number }>(COUNTS)).rows
  }
  const before = new Map((await counts()).map((count) => [count.table, count]))
  await work()
  const since = (await counts()).map(({ table, scans, rows }) => ({
    table,
    scans: scans - (before.get(table)?.scans ?? 0),
    rows: rows - (before.get(table)?.rows ?? 0),
  }))
  return {
    rows: since.reduce((sum, { rows }) => sum + rows, 0),
    whole: since.filter(({ scans }) => scans > 0).map(({ table }) => table),
  }
}

test('periodic tasks find their conversations by an index', async () => {
  const { db } = database
  const sweeps: Record<string, () => Promise<unknown>> = {
    retention: () => sweepConversations(lifecycle(), db, backend.files),
    'stalled-erasures': () => recoverStalledErasures(db, backend.jobs),
    'stalled-conversations': () => recoverStalledSteps(lifecycle(), db),
    'abandoned-conversations': () => finishIdleConversations(lifecycle(), db),
  }
  for (const [name, sweep] of Object.entries(sweeps)) {
    const { rows, whole } = await readingOf(sweep)
    assert.deepEqual(whole, [], name)
    assert.ok(rows < 1_000, `${name}: ${rows} rows`)
  }
})

test('the task `uploads` looks up owners by an index', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-uploads-'))
  // Another connection would publish the statistics of this statement later, so that they count as those of the task.
  const { rows } = await database.pool.query<{ id: string }>(
    'select id from conversations where deleted_at is null limit 50',
  )
  const gone = newId()
  for (const owner of [...rows.map(({ id }) => id), gone])
    await mkdir(join(folder, 'uploads', portal.projectId, owner, 'part'), { recursive: true })
  const { uploads } = await openDiskStore(folder)
  const reading = await readingOf(() => sweepUploads(database.db, uploads))
  const left = await Array.fromAsync(uploads.list(portal.projectId))
  await rm(folder, { recursive: true })
  assert.deepEqual(reading.whole, [])
  assert.ok(reading.rows < 1_000, `${reading.rows} rows`)
  assert.deepEqual([left.length, left.includes(gone)], [50, false])
})

test('deletes the conversations of a large deleted project in batches, and then skips the project', async () => {
  const own = await newPortal(backend)
  await query(
    `insert into conversations (id, project_id, status, source)
     select gen_random_uuid(), $1, 'done', 'portal_audio' from generate_series(1, 250)`,
    [own.projectId],
  )
  assert.equal((await own.owner.send('DELETE', `/api/v2/projects/${own.projectId}`)).status, 204)
  const left = async () =>
    (
      await query(
        `select (select count(*)::int from conversations where project_id = $1 and deleted_at is null) as living,
           (select count(*)::int from projects_to_empty where project_id = $1) as noted`,
        [own.projectId],
      )
    )[0]
  const rounds = []
  for (let round = 0; round < 3; round++)
    rounds.push([await sweepConversations(lifecycle(), database.db, backend.files), await left()])
  assert.deepEqual(rounds, [
    [true, { living: 150, noted: 1 }],
    [true, { living: 50, noted: 1 }],
    [false, { living: 0, noted: 0 }],
  ])
})
