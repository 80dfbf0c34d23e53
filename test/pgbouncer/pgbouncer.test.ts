import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { openDatabase } from '../../database/database.ts'
import { checkRoleSettings } from '../../database/pooler.ts'
import { startBackend } from '../support/backend.ts'
import { newConversation, newPortal, untilStatus } from '../support/conversations.ts'
import { TEST_POSTGRES, testDatabase } from '../support/database.ts'
import { scriptedEngines, wavOf } from '../support/engines.ts'
import { startReceiver } from '../support/receiver.ts'
import { newWebhook, setTier, until } from '../support/webhooks.ts'
import { findPgBouncer, type PoolMode, startPgBouncer } from './pgbouncer.ts'

const skip = findPgBouncer() === null ? 'PgBouncer is not installed' : false
const CONVERSATIONS = 12

/** The settings that docs/self-hosting.md names. */
async function setRoleSettings(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const role = `alter role current_user in database "${new URL(databaseUrl).pathname.slice(1)}" set`
  for (const setting of [
    'search_path = parley',
    'jit = off',
    "TimeZone = 'UTC'",
    "statement_timeout = '10s'",
    "idle_in_transaction_session_timeout = '15s'",
  ])
    await client.query(`${role} ${setting}`)
  await client.end()
}

for (const mode of ['session', 'transaction'] satisfies PoolMode[])
  test(`records, transcribes, summarises and delivers through PgBouncer in ${mode} mode`, {
    skip,
  }, async (t) => {
    const bouncer = await startPgBouncer(process.env[TEST_POSTGRES] as string, mode)
    t.after(bouncer.stop)
    const receiver = await startReceiver()
    t.after(receiver.close)
    const backend = await startBackend({
      worker: true,
      engines: scriptedEngines(),
      throughPooler: async (databaseUrl) => {
        await setRoleSettings(databaseUrl)
        return bouncer.urlOf(databaseUrl)
      },
    })
    t.after(backend.stop)
    await checkRoleSettings(backend.database.pool)
    const portal = await newPortal(backend)
    const tenant = {
      owner: portal.owner,
      organisation: portal.organisationId,
      workspace: portal.workspaceId,
      project: portal.projectId,
    }
    await setTier(backend, tenant, 'changemaker')
    await newWebhook(tenant, { url: `${receiver.url}/hook`, secret: 'a secret of 16 characters' })

    // More at once than PgBouncer has connections in transaction mode, so that they change hands between transactions.
    await Promise.all(
      Array.from({ length: CONVERSATIONS }, async (_, n) => {
        const { id, token, send } = await newConversation(portal)
        for (const seq of [0, 1])
          assert.equal((await send('PUT', `/chunks/${seq}`, wavOf(`Table ${n} part ${seq}.`))).status, 201)
        assert.equal((await send('POST', '/finish', { chunks: 2 })).status, 202)
        await untilStatus(portal, id, token, 'done')
        const transcript = await portal.owner.get(`/api/v2/conversations/${id}/transcript?format=txt`)
        assert.match(transcript.text, new RegExp(`Table ${n} part 0.[^]*Table ${n} part 1.`))
      }),
    )
    const received = await receiver.got(3 * CONVERSATIONS)
    const types = Map.groupBy(received, ({ headers }) => String(headers['x-service-event']))
    for (const type of ['conversation.started', 'conversation.transcribed', 'conversation.summarized'])
      assert.equal(types.get(type)?.length, CONVERSATIONS, type)

    const report = await portal.owner.post(
      `/api/v2/projects/${portal.projectId}/reports`,
      {},
      { 'idempotency-key': 'once' },
    )
    const again = await portal.owner.post(
      `/api/v2/projects/${portal.projectId}/reports`,
      {},
      { 'idempotency-key': 'once' },
    )
    assert.deepEqual([report.status, again.body.id], [202, report.body.id])
    await until(
      () => portal.owner.get(`/api/v2/reports/${report.body.id}`),
      ({ body }) => body.status === 'ready',
    )
  })

test('says which SQL to run when the role lacks the settings', { skip }, async (t) => {
  const bouncer = await startPgBouncer(process.env[TEST_POSTGRES] as string, 'transaction')
  t.after(bouncer.stop)
  const { url, drop } = await testDatabase()
  t.after(drop)
  const { pool, close } = openDatabase({
    url: bouncer.urlOf(url),
    directUrl: url,
    schema: 'parley',
    applicationName: 'test',
  })
  t.after(close)
  const name = new URL(url).pathname.slice(1)
  await assert.rejects(
    checkRoleSettings(pool),
    new RegExp(`alter role parley in database ${name} set search_path = 'parley';\n.*set jit`),
  )
})
