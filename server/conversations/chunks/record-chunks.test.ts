import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { startBackend, type TestBackend } from '../../../test/support/backend.ts'
import { newConversation, newPortal, type Portal } from '../../../test/support/conversations.ts'
import { wavOf } from '../../../test/support/engines.ts'
import { until } from '../../../test/support/webhooks.ts'
import { createEmitter } from '../../webhooks/index.ts'
import { createChunkRecorder } from './record-chunks.ts'
import type { NewChunk } from './store-chunks.ts'

let backend: TestBackend
let portal: Portal
before(async () => {
  backend = await startBackend({ enqueues: true })
  portal = await newPortal(backend)
})
after(() => backend.stop())

type Conversation = Awaited<ReturnType<typeof newConversation>>

const conversations = (count: number): Promise<Conversation[]> =>
  Promise.all(Array.from({ length: count }, () => newConversation(portal)))

async function recordedOf(id: string): Promise<{ seqs: number[]; jobs: number[]; bytes: number }> {
  const { rows } = await backend.database.pool.query(
    `select array(select seq from chunks where conversation_id = c.id order by seq) as seqs,
       array(select (data->>'seq')::integer from jobs.job where data->>'conversation_id' = c.id::text order by 1) as jobs,
       bytes from conversations c where id = $1`,
    [id],
  )
  return rows[0]
}

const newRecorder = () => {
  const emit = createEmitter({ publicUrl: 'http://parley.test', tierGates: true })
  const record = createChunkRecorder(backend.database.db, { jobs: backend.jobs, emit })
  return (chunk: NewChunk, kept = Promise.resolve()) => record(chunk, kept)
}

const chunkOf = ({ id }: Pick<Conversation, 'id'>, said: string): NewChunk => ({
  conversationId: id,
  seq: 0,
  file: { bytes: said.length, digest: hash('sha256', said, 'buffer') },
  container: 'wav',
  recordedAt: null,
})

test('chunks of many conversations that arrive at once are all recorded, each with its job', async () => {
  const all = await conversations(20)
  const chunks = [0, 1, 2].map((n) => wavOf(`chunk ${n}`, n + 1))
  const answers = await Promise.all(
    all.flatMap(({ send }) => chunks.map((chunk, seq) => send('PUT', `/chunks/${seq}`, chunk))),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
  for (const { id } of all) {
    const bytes = chunks.reduce((sum, { length }) => sum + length, 0)
    assert.deepEqual(await recordedOf(id), { seqs: [0, 1, 2], jobs: [0, 1, 2], bytes })
  }
})

test('of the same number at once the first is new, the same bytes are welcome, and others refused', async () => {
  const [one, other] = (await conversations(2)) as [Conversation, Conversation]
  const record = newRecorder()
  // While the first one is recorded, those that follow gather.
  const stored = await Promise.all([
    record(chunkOf(other, 'before')),
    record(chunkOf(one, 'said')),
    record(chunkOf(one, 'not said')),
    record(chunkOf(one, 'said')),
    record(chunkOf({ id: newId() }, 'nowhere')),
  ])
  assert.deepEqual(stored, ['new', 'new', 'other', 'same', 'without_conversation'])
  assert.deepEqual(await record(chunkOf(one, 'said')), 'same')
  assert.deepEqual(await recordedOf(one.id), { seqs: [0], jobs: [0], bytes: 4 })
})

test('a chunk of a locked conversation waits without delaying others', async () => {
  const [held, ...others] = await conversations(4)
  assert.ok(held)
  const client = await backend.database.pool.connect()
  try {
    await client.query('begin')
    await client.query('select from conversations where id = $1 for update', [held.id])
    let isAnswered = false
    // More than the pool has connections.
    const waiting = Promise.all(
      Array.from({ length: 12 }, (_, seq) => held.send('PUT', `/chunks/${seq}`, wavOf('held'))),
    ).finally(() => {
      isAnswered = true
    })
    for (const { send } of others) assert.equal((await send('PUT', '/chunks/0', wavOf('free'))).status, 201)
    assert.equal(isAnswered, false)
    await client.query('commit')
    assert.deepEqual([...new Set((await waiting).map(({ status }) => status))], [201])
  } finally {
    client.release()
  }
  assert.equal((await recordedOf(held.id)).seqs.length, 12)
})

test('one that was withdrawn is refused among those that are not', async () => {
  const all = await conversations(6)
  await all[0]?.send('DELETE', '')
  const answers = await Promise.all(all.map(({ send }) => send('PUT', '/chunks/0', wavOf('there'))))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 201, 201, 201, 201, 201],
  )
})

test('no row is there before its file', async () => {
  const [one] = (await conversations(1)) as [Conversation]
  const file = Promise.withResolvers<void>()
  const recording = newRecorder()(chunkOf(one, 'said'), file.promise)
  // Written, but for the commit.
  await until(
    async () => {
      const { rowCount } = await backend.database.pool.query(
        `select from pg_stat_activity where state = 'idle in transaction' and datname = current_database()
           and query ilike '%insert into jobs.%'`,
      )
      return rowCount
    },
    (count) => count === 1,
  )
  assert.deepEqual(await recordedOf(one.id), { seqs: [], jobs: [], bytes: 0 })
  file.resolve()
  assert.equal(await recording, 'new')
  assert.deepEqual(await recordedOf(one.id), { seqs: [0], jobs: [0], bytes: 4 })
})

test('whose file could not be kept is told so, alone among those that came with it', async () => {
  const all = await conversations(5)
  const record = newRecorder()
  const answers = await Promise.allSettled(
    all.map((each, n) =>
      record(chunkOf(each, 'said'), n === 3 ? Promise.reject(new Error('no room')) : Promise.resolve()),
    ),
  )
  const told = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.reason.message))
  assert.deepEqual(told, ['new', 'new', 'new', 'no room', 'new'])
  for (const [n, { id }] of all.entries())
    assert.deepEqual((await recordedOf(id)).seqs, n === 3 ? [] : [0], `conversation ${n}`)
})
