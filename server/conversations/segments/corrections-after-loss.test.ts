import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { newConversation, untilStatus } from '../../../test/support/conversations.ts'
import { scriptedSummarizer } from '../../../test/support/engines.ts'
import { recordClock, speak, wordClock } from '../../../test/support/word-clock.ts'
import { EngineFailure } from '../../engines/engine-failure.ts'
import { backend, portal, query, setUp } from '../testing/setup.ts'
import { openCorrections } from './carry-corrections.ts'

/** Each chunk holds one phrase, at the same time in each. */
const breaths = speak([6, 6, 6, 6])
const [FIRST_MS, CHUNK_MS] = [3_450, 3_100]
const startOf = (seq: number): number => (seq === 0 ? 0 : FIRST_MS + CHUNK_MS * (seq - 1))
const textOf = (seq: number): string => breaths[seq]?.map(({ text }) => text).join(' ') ?? ''
const timeOf = (seq: number): number => breaths[seq]?.[0]?.start ?? 0

/** The chunk that begins at this time cannot be read. */
let unreadableAt: number | null = null
const clock = wordClock(breaths, 1)
const transcriber = {
  ...clock,
  transcribe: async (input: Parameters<typeof clock.transcribe>[0]) => {
    if ((await readFile(input.path)).readUInt32LE(44) === unreadableAt)
      throw new EngineFailure('unreadable', 'requested by the test')
    return clock.transcribe(input)
  },
}
setUp({ engines: { transcriber, summarizer: scriptedSummarizer() } })

const segmentsOf = async (
  id: string,
): Promise<{ id: string; start_ms: number; text: string; original_text: string | null }[]> =>
  (await portal.owner.get(`/api/v2/conversations/${id}/segments`)).body.data

/** Records all chunks but `lost`, and corrects the phrase of chunk 2. */
async function correctedAfter(lost: number | null): Promise<{ id: string; token: string; segment: string }> {
  const { id, token, send } = await newConversation(portal)
  for (const seq of [0, 1, 2, 3])
    if (seq !== lost) await send('PUT', `/chunks/${seq}`, recordClock(startOf(seq), startOf(seq + 1)))
  await send('POST', '/finish')
  await untilStatus(portal, id, token, 'done')
  const found = (await segmentsOf(id)).find(({ text }) => text === textOf(2))
  const path = `/api/v2/conversations/${id}/segments/${found?.id}`
  assert.equal((await portal.owner.send('PATCH', path, { text: 'as a person said it' })).status, 200)
  return { id, token, segment: found?.id as string }
}

async function transcribeAgain(id: string, token: string): Promise<void> {
  await portal.owner.post(`/api/v2/conversations/${id}/retranscribe`)
  await untilStatus(portal, id, token, 'done')
}

test('a correction stays at its time when an unreadable chunk before it is transcribed', async () => {
  unreadableAt = startOf(1)
  const { id, token } = await correctedAfter(null)
  unreadableAt = null
  await transcribeAgain(id, token)
  assert.deepEqual(
    (await segmentsOf(id)).map(({ start_ms, text, original_text }) => [start_ms, text, original_text]),
    [
      [timeOf(0), textOf(0), null],
      [timeOf(1), textOf(1), null],
      [timeOf(2), 'as a person said it', textOf(2)],
      [timeOf(3), textOf(3), null],
    ],
  )
})

test('a correction after a chunk that never arrived stays at its time', async () => {
  const { id, token, segment } = await correctedAfter(1)
  const before = await segmentsOf(id)
  await transcribeAgain(id, token)
  assert.deepEqual(
    (await segmentsOf(id)).map(({ start_ms, text }) => [start_ms, text]),
    before.map(({ start_ms, text }) => [start_ms, text]),
  )
  await query(`update chunks set state = 'stored' where conversation_id = $1 and seq >= 2`, [id])
  const [open] = await backend.database.db
    .transaction()
    .execute((tx) => openCorrections(tx, { conversation_id: id, seq: 0 }, []))
  assert.deepEqual(open, { id: segment, start: timeOf(2), end: timeOf(2) + 2_400 })
})
