import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { inTransaction, type Tx } from '../../database/database.ts'
import { migrate } from '../../database/migrate.ts'
import { rules, secrets } from '../../delivery/index.ts'
import { createLog } from '../../platform/log.ts'
import { createInfrastructure, type Infrastructure, startWorker } from '../../server/compose.ts'
import { createEmitter } from '../../server/webhooks/index.ts'
import { openDiskStore } from '../../storage/disk-store.ts'
import { childOptions, now, serve } from './children.ts'
import { BODY } from './post.ts'
import type { Commit, ContenderOptions, Ours } from './types.ts'
import { createUndiciEgress } from './undici-egress.ts'

/**
 * Parley's own dispatcher, in one process, as the service runs it: every signature, the address guard (loopback is
 * opened, as an operator would) and the attempt log are on.
 */
const { addresses, databaseUrl } = childOptions<ContenderOptions>()
const MIGRATIONS = join(import.meta.dirname, '../../database/migrations')
/** The same for every process on one database. */
const KEY = `bench:${Buffer.alloc(32, 7).toString('base64')}`
const ORGANISATIONS = 10

const log = createLog('warn')
await migrate({ url: databaseUrl, schema: 'parley', folder: MIGRATIONS, log })
const egress = { allowHttp: true, allowNetworks: ['127.0.0.0/8'], proxy: null }
/** Publishes the events. Each start of the worker opens another infrastructure, as another process would. */
const producer = await openInfrastructure()
const { database, keyring } = producer
const settings = { version: '0.1.0', publicUrl: 'http://parley.test', tierGates: true }
const emit = createEmitter(settings)
const webhooks = await registered()
let running: { metrics: Infrastructure['metrics']; stop(): Promise<void> } | null = null

/** One project per webhook, spread over ten organisations; the ids in the order of the addresses. */
async function registered(): Promise<{ id: string; projectId: string }[]> {
  const { rows } = await database.pool.query<{ id: string; projectId: string }>(
    `select id, project_id as "projectId" from webhooks order by name`,
  )
  if (rows.length > 0) return rows
  const workspaces: string[] = []
  for (let n = 0; n < ORGANISATIONS; n++) workspaces.push(await newWorkspace())
  await addWebhooks(workspaces)
  return registered()
}

async function newWorkspace(): Promise<string> {
  const [organisation, workspace] = [randomUUID(), randomUUID()]
  await database.pool.query(`insert into organisations (id, name) values ($1, 'Bench')`, [organisation])
  await database.pool.query(
    `insert into workspaces (id, organisation_id, name, tier) values ($1, $2, 'Bench', 'changemaker')`,
    [workspace, organisation],
  )
  return workspace
}

async function addWebhooks(workspaces: string[]): Promise<void> {
  const added = addresses.map((url, n) => {
    const [project, id] = [randomUUID(), randomUUID()]
    const secret = secrets.sealSecret(
      keyring,
      { id, project_id: project },
      'bench-secret-of-32-bytes-exactly',
    )
    return { project, workspace: workspaces[n % ORGANISATIONS], id, url, secret }
  })
  await database.pool.query(
    `with added as (
       select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[])
         with ordinality as a(project, workspace, id, url, secret, number)
     ), _projects as (
       insert into projects (id, workspace_id, name, language, languages, is_open, ask_name, ask_email, tags, hotwords)
       select project, workspace, 'Bench', 'en', '[]', true, false, false, '[]', '[]' from added
     ), _webhooks as (
       insert into webhooks (id, project_id, name, url, events, secret, secret_version, secret_strength)
       select id, project, lpad(number::text, 6, '0'), url, '{conversation.started}', secret, 1, 'ok' from added
     )
     insert into endpoint_queues (webhook_id) select id from added`,
    (['project', 'workspace', 'id', 'url', 'secret'] as const).map((name) => added.map((each) => each[name])),
  )
}

/** One event per delivery, as when every webhook has its own project, each with a different time. */
async function store(count: number, of: typeof webhooks, age: string, status: string): Promise<void> {
  await database.pool.query(
    `with made as (
       insert into events (id, project_id, type, subject_id, occurred_at, full_body, ids_body)
       select uuid_v7_at(moment), p.id, 'conversation.started', gen_random_uuid(), moment, $3, $8
       from generate_series(0, $1::integer - 1) n
       cross join lateral (select now() - $5::interval - ($1 - n) * interval '1 us' as moment)
       join unnest($4::uuid[]) with ordinality as p(id, number) on p.number = n % $6 + 1
       returning id, project_id, occurred_at
     ), stored as (
     insert into deliveries (id, webhook_id, event_id, event_type, event_at, kind, payload, status, attempts,
       created_at, due_at, expires_at, finished_at)
     select uuid_v7_at(made.occurred_at), w.id, made.id, 'conversation.started', made.occurred_at, 'event', 'full', $7, case $7 when 'pending' then 0 else 1 end,
       made.occurred_at, made.occurred_at, made.occurred_at + interval '${rules.LIFETIME_HOURS} hours', case $7 when 'pending' then null else made.occurred_at end
     from made join unnest($2::uuid[], $4::uuid[]) as w(id, project_id) using (project_id)
     returning id, status, created_at
     )
     insert into attempts (delivery_id, number, at, duration_ms, status, details)
     select id, 1, created_at, 3, 200, '{"address":"127.0.0.1","answer_body":"ok"}'
     from stored where status = 'succeeded'`,
    [
      count,
      of.map(({ id }) => id),
      Buffer.from(BODY),
      of.map(({ projectId }) => projectId),
      age,
      of.length,
      status,
      IDS_BODY,
    ],
  )
}

/** Ids of a given moment: for a log of past days, and for a seeded backlog, whose ids must be in the order in which it was created. */
await database.pool.query(`
  create or replace function uuid_v7_at(moment timestamptz) returns uuid language sql volatile as $$
    select (left(uuid_floor(moment)::text, 14) || '7' || right(gen_random_uuid()::text, 21))::uuid
  $$`)

/** Has the length of the `ids` payload of a real event. */
const IDS_BODY = Buffer.alloc(480, 'x')
const BATCH = 10_000

async function seed(count: number, [from, to] = [0, webhooks.length]): Promise<void> {
  for (let left = count; left > 0; left -= BATCH) {
    await store(Math.min(left, BATCH), webhooks.slice(from, to), '0', 'pending')
  }
  await analyze()
}

/** Uses a connection without the service's statement timeout: millions of rows take longer. */
async function analyze(): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('analyze parley.deliveries, parley.events, parley.attempts')
  await client.end()
}

/** Inserts deliveries of the last twenty days, each with an attempt. */
async function seedFinished(count: number): Promise<void> {
  await database.pool.query(
    `select add_partitions((now() at time zone 'UTC')::date - n) from generate_series(2, 22) n`,
  )
  for (let done = 0; done < count; done += BATCH) {
    const day = 2 + Math.floor((done / count) * 20)
    await store(Math.min(count - done, BATCH), webhooks, `${day} days`, 'succeeded')
  }
  await analyze()
}

async function attempted(): Promise<number> {
  const counter = await running?.metrics.registry.getSingleMetric('parley_delivery_attempts_total')?.get()
  return (counter?.values ?? []).reduce((sum, { value }) => sum + value, 0)
}

async function openInfrastructure(): Promise<Infrastructure> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  const infrastructure = createInfrastructure({
    databaseUrl,
    files: await openDiskStore(folder),
    encryptionKey: KEY,
    egress,
    supervisesJobs: false,
    log,
    connections: { applicationName: 'bench', max: 4 },
  })
  const close = async () => {
    await infrastructure.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { ...infrastructure, close }
}

async function start(): Promise<void> {
  const composed = await openInfrastructure()
  const isUndici = process.env['BENCH_CLIENT'] === 'undici'
  const infrastructure = isUndici ? { ...composed, egress: createUndiciEgress(egress) } : composed
  const worker = startWorker(infrastructure, { settings, groups: ['webhooks'], logDays: 30, graceMs: 500 })
  running = {
    metrics: infrastructure.metrics,
    stop: async () => {
      await worker.stop()
      if (isUndici) await infrastructure.egress.close()
      await composed.close()
    },
  }
}

async function stop(): Promise<void> {
  await running?.stop()
  running = null
}

async function run(posts: number): Promise<number> {
  const began = now()
  await start()
  // Polling the database would be load, so it starts when all deliveries were attempted.
  while ((await attempted()) < posts) await pause(20)
  while (await anyPending()) await pause(5)
  const elapsed = now() - began
  await stop()
  return elapsed
}

async function anyPending(): Promise<boolean> {
  const { rows } = await database.pool.query<{ left: boolean }>(
    `select exists (select from endpoint_queues q cross join lateral (
       select from deliveries d
       where d.webhook_id = q.webhook_id and d.status = 'pending' and d.due_at <= now()
         and d.id >= uuid_floor(now() - interval '1 day')
       order by d.due_at limit 1) d) as left`,
  )
  return rows[0]?.left ?? false
}

/** Publishes an event for one webhook. Does not read its delivery, which only measurements of latency need. */
async function emitFor(tx: Tx, webhook: number): Promise<string> {
  const { id, projectId } = webhooks[webhook] as { id: string; projectId: string }
  await emit(tx, {
    type: 'conversation.started',
    projectId,
    conversation: {
      id: randomUUID(),
      revision: 1,
      status: 'recording',
      source: 'portal_audio',
      language: 'en',
      participant_name: 'x'.repeat(400),
      tags: [],
      started_at: new Date().toISOString(),
      finished_at: null,
      duration_seconds: null,
      title: null,
    },
  })
  return id
}

async function publish(webhook: number): Promise<Commit> {
  const client = await database.db.startTransaction().execute()
  const id = await emitFor(client, webhook)
  const { id: delivery } = await client
    .selectFrom('deliveries')
    .select('id')
    .where('webhook_id', '=', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const sent = now()
  await client.commit().execute()
  return { id: delivery, sent, committed: now() }
}

/** Publishes events for all webhooks in turn, each in its own transaction. */
async function publishAll(events: number): Promise<void> {
  for (let n = 0; n < events; n++) await inTransaction(database.db, (tx) => emitFor(tx, n % webhooks.length))
}

serve({ seed, run, start, stop, attempted, anyPending, publish, publishAll, seedFinished } satisfies Ours)
