import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newConversation } from '../../../test/support/conversations.ts'
import { countStatements } from '../../../test/support/database/count-statements.ts'
import { backend, portal, query, setUp } from '../testing/setup.ts'
import { loadTranscript } from '../transcript/load-transcript.ts'
import { plainTranscript } from '../transcript/time-line.ts'
import { endOf } from './end-of-text.ts'
import { readTail } from './read-tail.ts'

setUp({})

/** A conversation in which these segments were transcribed, some in each chunk. */
async function transcribed(chunks: string[][]) {
  const conversation = await newConversation(portal)
  const { id } = conversation
  await query(
    `insert into chunks (conversation_id, seq, state, digest, bytes, container, duration_ms)
     select $1, seq, 'transcribed', '\\x00', 1, 'wav', 5000 from generate_series(0, $2::int - 1) seq`,
    [id, chunks.length],
  )
  const rows = chunks.flatMap((texts, seq) => texts.map((text, position) => ({ seq, position, text })))
  await query(
    `insert into segments (conversation_id, id, chunk_seq, position, start_ms, end_ms, text)
     select $1, gen_random_uuid(), seq, position, position * 100, position * 100 + 90, text
     from json_to_recordset($2) as row (seq int, position int, text text)`,
    [id, JSON.stringify(rows)],
  )
  return conversation
}

test('a tail is the end of the whole transcript', async () => {
  const { db } = backend.database
  const text = fc
    .string({ minLength: 1, maxLength: 60, unit: 'grapheme' })
    .filter((one) => !one.includes('\0'))
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(text, { maxLength: 4 }), { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 800 }),
      async (chunks, max) => {
        const { id } = await transcribed(chunks.map((texts) => texts.map((one) => one.toWellFormed())))
        const started_at = new Date().toISOString()
        const whole = plainTranscript(await loadTranscript(db, { id, started_at, speakers: null }))
        const tail = await readTail(db, id, max)
        assert.equal(tail?.text, endOf(whole, max))
        assert.equal(tail?.isTruncated, (tail?.text.length ?? 0) < whole.length)
      },
    ),
    { numRuns: 15 },
  )
})

test('an hour of speech is read from its end, in one statement', async () => {
  const words = 'we would like more trees along the river and a bench'
  const { id, send } = await transcribed(Array.from({ length: 720 }, (_, seq) => [`${seq} ${words}`, words]))
  const count = countStatements(backend, /segments/)
  const { body } = await send('GET', '?tail=600')
  assert.equal(count(), 1)
  assert.ok(body.transcript_so_far.endsWith(`719 ${words}\n${words}`) && body.transcript_so_far.length > 500)
  assert.equal(body.transcript_truncated, true)
  assert.deepEqual([body.received, body.missing], [[[0, 719]], []])

  await query('analyze segments')
  const [{ 'QUERY PLAN': plan }] = await query(
    `explain (analyze, format json) select text from segments where conversation_id = $1
     order by chunk_seq desc, position desc limit 35`,
    [id],
  )
  assert.match(JSON.stringify(plan), /"Index Name":"segments_pkey"/)
})

test('a tail includes corrections, removed segments and missing chunks', async () => {
  const { id, send } = await transcribed([['the first'], ['a mistake'], ['removed'], ['the last']])
  const correct = (text: string, by: string) =>
    query(
      `insert into segment_corrections (segment_id, conversation_id, chunk_seq, start_ms, end_ms, text, edited_by)
       select id, conversation_id, chunk_seq, start_ms, end_ms, $2, 'host' from segments where conversation_id = $1 and text = $3`,
      [id, text, by],
    )
  await correct('a correction', 'a mistake')
  await correct('', 'removed')
  await query('delete from chunks where conversation_id = $1 and seq = 2', [id])
  const { body } = await send('GET', '?tail=100')
  assert.equal(body.transcript_so_far, 'the first\na correction\nthe last')
  assert.deepEqual(
    [body.received, body.missing],
    [
      [
        [0, 1],
        [3, 3],
      ],
      [2],
    ],
  )
  assert.equal(body.transcript_truncated, false)
  const { transcript_so_far, received, missing } = (await send('GET', '')).body
  assert.equal(transcript_so_far, body.transcript_so_far)
  assert.deepEqual([received, missing], [body.received, body.missing])
})

test('a tail includes typed text', async () => {
  const { send } = await transcribed([['spoken words']])
  await send('POST', '/text', { content: 'typed words' })
  assert.match((await send('GET', '?tail=11')).body.transcript_so_far, /^typed words$/)
  assert.equal((await send('GET', '?tail=100')).body.transcript_so_far, 'spoken words\ntyped words')
})

test('a tail shows marks and speakers as the whole transcript does', async () => {
  const { id, send } = await transcribed([['Benches', 'Trees'], ['[unclear]', 'Light'], ['Water']])
  const set = (text: string, fields: string) =>
    query(`update segments set ${fields} where conversation_id = $1 and text = $2`, [id, text])
  await set('Benches', `speaker = 'A', confidence = 0.9`)
  await set('Trees', `speaker = 'B', confidence = 0.2`)
  await set('[unclear]', 'confidence = 0.57')
  await query(`update conversations set speakers = '{"A": "Anna"}' where id = $1`, [id])
  const read = async (tail = '') => (await send('GET', tail)).body.transcript_so_far
  const count = countStatements(backend, /segments/)
  assert.equal(await read('?tail=100'), 'Anna: Benches\nB: [unclear] Trees\n[unclear]\nLight\nWater')
  assert.equal(count(), 1)
  assert.equal(await read(), await read('?tail=100'))
})
