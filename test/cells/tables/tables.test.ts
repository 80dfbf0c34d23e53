import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { startBackend } from '../../support/backend.ts'
import { newConversation, newPortal, type Portal, untilStatus } from '../../support/conversations.ts'
import { scriptedEngines, wavOf } from '../../support/engines.ts'
import { findForeignReferences, findUnowned } from '../checks/placement.ts'
import { MOVED_TABLES, TABLES_OF_THE_CELL } from './moved-tables.ts'
import { readColumns, readReferences, readUnboundColumns } from './schema.ts'
import { OTHER_UNBOUND_COLUMNS, UNBOUND_REFERENCES } from './unbound-columns.ts'

const backend = await startBackend({ engines: scriptedEngines(), tierGates: false })
after(() => backend.stop())
const { pool } = backend.database
const positions = new Map(MOVED_TABLES.map(({ name }, index) => [name, index]))

test('every table moves with its organisation, or belongs to the cell', async () => {
  const tables = new Set((await readColumns(pool)).map(({ table }) => table))
  const declared = new Set([...positions.keys(), ...TABLES_OF_THE_CELL])
  assert.deepEqual([...tables.symmetricDifference(declared)], [])
})

test('every column that names something without a foreign key is declared', async () => {
  const moved = (await readUnboundColumns(pool)).filter((name) =>
    positions.has(name.slice(0, name.lastIndexOf('.'))),
  )
  const declared = [
    ...UNBOUND_REFERENCES.map(({ from, column }) => `${from}.${column}`),
    ...Object.values(OTHER_UNBOUND_COLUMNS).flat(),
  ]
  assert.deepEqual(moved, declared.sort())
})

test('tables refer to tables above them, and are found by those', async () => {
  const wrong: string[] = []
  const requireAbove = (table: string, other: string) => {
    const at = positions.get(table)
    if (at !== undefined && !((positions.get(other) ?? Number.POSITIVE_INFINITY) < at))
      wrong.push(`${table} is not below ${other}`)
  }
  for (const { from, to } of await readReferences(pool))
    if (!TABLES_OF_THE_CELL.includes(to)) requireAbove(from, to)
  for (const { name, belongs, shared = '' } of MOVED_TABLES)
    for (const [other] of `${belongs} ${shared}`.matchAll(/parley\.\w+/g)) requireAbove(name, other)
  assert.deepEqual(wrong, [])
})

/** With a transcribed conversation, a webhook and a report. */
async function newOrganisation(): Promise<Portal> {
  const portal = await newPortal(backend)
  const project = `/api/projects/${portal.projectId}`
  const events = ['conversation.started', 'conversation.summarized']
  const webhook = await portal.owner.post(`${project}/webhooks`, { url: 'http://127.0.0.1:9/', events })
  assert.equal(webhook.status, 201)
  const { id, token, send } = await newConversation(portal)
  assert.equal((await send('PUT', '/chunks/0', wavOf('The bridge is closed.'))).status, 201)
  assert.equal((await send('POST', '/finish', { chunks: 1 })).status, 202)
  await untilStatus(portal, id, token, 'done')
  assert.equal((await portal.owner.post(`/api/v2/projects/${portal.projectId}/reports`, {})).status, 202)
  return portal
}

test('each row belongs to one organisation, and refers to no row of another one', async () => {
  const portals = [await newOrganisation(), await newOrganisation()]
  const ids = portals.map(({ organisationId }) => organisationId)
  const client = await pool.connect()
  try {
    // The service is still working, so all queries read the same snapshot.
    await client.query('begin isolation level repeatable read')
    assert.deepEqual(await findUnowned(client, ids), [])
    assert.deepEqual(await findForeignReferences(client, ids), [])

    await client.query(
      `insert into invitations (id, organisation_id, workspace_id, email, role, invited_by, expires_at)
       values ($1, $2, $3, 'ada@example.com', 'member', 'ada', now())`,
      [randomUUID(), ids[0], portals[1]?.workspaceId],
    )
    await client.query('insert into event_keys (key, event_id) values ($1, $2)', [
      `conversation.started:${randomUUID()}`,
      randomUUID(),
    ])
    assert.match((await findForeignReferences(client, ids)).join(), /invitations refer to parley.workspaces/)
    assert.match((await findUnowned(client, ids)).join(), /^parley.event_keys has \d+ rows/)
  } finally {
    await client.query('rollback')
    client.release()
  }
})
