import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction, type Tx } from '../../database/database.ts'
import { newConversation } from '../../test/support/conversations.ts'
import fc from '../../test/support/properties.ts'
import { backend, portal, setUp } from './testing/setup.ts'

setUp({ enqueues: true })

const CHUNK_MS = 5_000

/** Runs in a transaction that is rolled back, and counts how often all chunks were placed. */
async function recording(
  work: (chunks: ReturnType<typeof chunksOf>, placings: () => Promise<number>) => Promise<void>,
): Promise<void> {
  const { id } = await newConversation(portal)
  const undo = new Error('rolled back')
  await inTransaction(backend.database.db, async (tx) => {
    await sql`set local track_functions = 'pl'`.execute(tx)
    await work(chunksOf(tx, id), async () => {
      const { rows } = await sql<{ calls: number }>`
        select coalesce(sum(calls), 0)::integer as calls from pg_stat_xact_user_functions where funcname = 'placed_chunks'`.execute(
        tx,
      )
      return rows[0]?.calls ?? 0
    })
    throw undo
  }).catch((error) => assert.equal(error, undo))
}

const chunksOf = (tx: Tx, id: string) => ({
  /** At a time, in seconds. */
  arrive: (seq: number, at: number) =>
    sql`insert into chunks (conversation_id, seq, digest, bytes, container, received_at)
      values (${id}, ${seq}, '', 1, ${seq === 0 ? 'webm' : null}, now() + ${at} * interval '1 second')`.execute(
      tx,
    ),
  async end(seq: number, result: { state: 'transcribed' | 'failed'; duration?: number }): Promise<void> {
    const { state, duration = CHUNK_MS } = result
    await sql`update chunks set state = ${state}, duration_ms = ${state === 'failed' ? null : duration}::integer,
        failure = ${state === 'failed' ? 'unreadable' : null}
      where conversation_id = ${id} and seq = ${seq}`.execute(tx)
    await sql`update conversations set missing_ms = missing_ms_after(${id}, ${seq}) where id = ${id}`.execute(
      tx,
    )
  },
  async missing(): Promise<[stored: number, actual: number]> {
    const { rows } = await sql<{ stored: number; actual: number }>`
      select c.missing_ms::integer as stored,
        (select coalesce(sum(end_ms - start_ms), 0)::integer from missing_audio(c.id)) as actual
      from conversations c where c.id = ${id}`.execute(tx)
    return [rows[0]?.stored ?? -1, rows[0]?.actual ?? -1]
  },
})

test('chunks without missing audio around them are not placed again after each one', () =>
  recording(async (chunks, placings) => {
    for (let seq = 0; seq < 60; seq++)
      if (seq !== 20) {
        await chunks.arrive(seq, seq)
        await chunks.end(seq, { state: 'transcribed' })
      }
    assert.equal(await placings(), 1)
    assert.deepEqual(await chunks.missing(), [CHUNK_MS, CHUNK_MS])
    const before = await placings()
    await chunks.arrive(20, 60)
    await chunks.end(20, { state: 'transcribed' })
    assert.equal((await placings()) - before, 1)
    assert.deepEqual(await chunks.missing(), [0, 0])
  }))

test('the stored length of missing audio is the sum of the missing times, in any order of arrival', () =>
  fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 2 }),
      fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
      async (order, failures) =>
        recording(async (chunks) => {
          for (const [at, seq] of [0, ...order].entries()) {
            await chunks.arrive(seq, at)
            await chunks.end(seq, { state: seq > 0 && failures[seq - 1] ? 'failed' : 'transcribed' })
            const [stored, actual] = await chunks.missing()
            assert.equal(stored, actual, `after chunk ${seq}`)
          }
        }),
    ),
    { numRuns: 25 },
  ))
