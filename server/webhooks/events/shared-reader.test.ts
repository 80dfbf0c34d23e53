import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { inTransaction } from '../../../database/database.ts'
import { notifyProject } from '../../../delivery/index.ts'
import { type Caller, startBackend } from '../../../test/support/backend.ts'
import { countStatements } from '../../../test/support/database/count-statements.ts'
import { openStream } from '../../../test/support/servers/event-stream.ts'
import { newMember, type Tenant } from '../../../test/support/tenants.ts'
import { conversationStarted, emitNow, newWebhookTenant } from '../../../test/support/webhooks.ts'

const backend = await startBackend()
/** Statements that read a feed. */
const reads = countStatements(
  backend,
  /pg_snapshot_xmin[\s\S]*from (events|conversations)|from (events|conversations)[\s\S]*pg_snapshot_xmin/,
)
after(() => backend.stop())

const CHANGES = 10
const STREAMS = 40

/** Two people, since one can't have so many streams. */
async function openMany(tenant: Tenant, path: string, count: number) {
  const callers: Caller[] = [
    tenant.owner,
    await newMember(backend, tenant.owner, `/api/v2/workspaces/${tenant.workspace}`, 'owner'),
  ]
  const url = `${backend.url}/api/v2/projects/${tenant.project}/${path}`
  return Promise.all(
    Array.from({ length: count }, (_, n) => openStream(url, (callers[n % 2] as Caller).token)),
  )
}

/** Statements that read the feed while so many streams each get every change. */
async function readsFor(path: string, streamCount: number, change: (tenant: Tenant) => Promise<unknown>) {
  const tenant = await newWebhookTenant(backend)
  const streams = await openMany(tenant, path, streamCount)
  for (const { response } of streams) assert.equal(response.status, 200)
  await change(tenant)
  await Promise.all(streams.map(({ got }) => got(1)))
  const before = reads()
  for (let n = 2; n <= CHANGES + 1; n++) {
    await change(tenant)
    await Promise.all(streams.map(({ got }) => got(n)))
  }
  const after = reads()
  for (const { close } of streams) close()
  return after - before
}

test('40 streams of a project’s events cause no more queries per change than one', async () => {
  const change = ({ project }: Tenant) => emitNow(backend, conversationStarted(project))
  const one = await readsFor('events/stream', 1, change)
  const many = await readsFor('events/stream', STREAMS, change)
  assertShared(one, many)
})

test('40 streams of a project’s conversations cause no more queries per change than one', async () => {
  let seen = 0
  const change = async ({ project }: Tenant) => {
    const { pool, db } = backend.database
    await pool.query(
      `insert into conversations (id, project_id, status, source, title) values (gen_random_uuid(), $1, 'done', 'portal_text', $2)`,
      [project, `Title ${seen++}`],
    )
    await inTransaction(db, (tx) => notifyProject(tx, project))
  }
  const one = await readsFor('stream', 1, change)
  const many = await readsFor('stream', STREAMS, change)
  assertShared(one, many)
})

/** A slow machine adds reads by its waiting; a reader per stream would add 40 for each change. */
function assertShared(one: number, many: number): void {
  assert.ok(one >= CHANGES, `${one} reads for ${CHANGES} changes`)
  assert.ok(many < (CHANGES * STREAMS) / 2, `${one} reads with one stream, ${many} with ${STREAMS}`)
}
