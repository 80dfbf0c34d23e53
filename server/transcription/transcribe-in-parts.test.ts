import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newConversation, untilStatus } from '../../test/support/conversations.ts'
import { scriptedSummarizer } from '../../test/support/engines.ts'
import { until } from '../../test/support/webhooks.ts'
import { lengthOf, type Phrase, recordClock, speak, wordClock } from '../../test/support/word-clock.ts'
import { portal, query, recorded, setUp } from '../conversations/testing/setup.ts'

/** Phrases of this many words: some short, some longer than a chunk, and one of 16 s. */
const VARIED = [3, 1, 12, 2, 7, 40, 1, 1, 5, 20, 4, 9, 2, 30, 6]
/** More than two parts long. */
const breaths = speak([...VARIED, ...Array<number>(45).fill(10)])
const few = breaths.slice(0, VARIED.length)
const LENGTH = lengthOf(few)
const PART = 120_000
const engine = wordClock(breaths, 1)
setUp({ engines: { transcriber: engine, summarizer: scriptedSummarizer() } })

const wordsOf = (some: readonly Phrase[]) => some.flat().map(({ text }) => text)

interface Line {
  start_ms: number
  end_ms: number
  text?: string
  reason?: string
}

async function transcriptOf(id: string): Promise<Line[]> {
  const { body } = await portal.owner.get(`/api/v2/conversations/${id}/transcript?format=json`)
  return body.entries
}

const spoken = (lines: readonly Line[]): string[] => lines.flatMap(({ text }) => text?.split(' ') ?? [])

/** From the clock's beginning, in chunks of these lengths, the last as long as needed. */
function cut(lengths: readonly number[]): [from: number, to: number][] {
  const chunks: [number, number][] = []
  for (let at = 0; at < LENGTH; ) {
    const to = Math.min(LENGTH, at + (lengths[chunks.length % lengths.length] ?? LENGTH))
    chunks.push([at, to])
    at = to
  }
  return chunks
}

const CUTS: [name: string, lengths: number[]][] = [
  ['chunks of 7 s', [7_000]],
  ['chunks of 10 s', [10_000]],
  ['chunks of 2 s, shorter than most phrases', [2_000]],
  ['chunks of all lengths', [500, 13_001, 3_333, 8_000, 1_700]],
]
for (const [name, lengths] of CUTS)
  for (const kind of ['separate files', 'parts of one file'] as const)
    test(`${name}, ${kind}: every word is transcribed once, at its time`, async () => {
      const hasHeader = (seq: number) => seq === 0 || kind === 'separate files'
      const chunks = cut(lengths).map(([from, to], seq) => recordClock(from, to, hasHeader(seq)))
      const { id } = await recorded(chunks)
      const lines = await transcriptOf(id)
      assert.deepEqual(spoken(lines), wordsOf(few))
      const times = few.map((breath) => [breath[0]?.start, breath.at(-1)?.end])
      assert.deepEqual(
        lines.map(({ start_ms, end_ms }) => [start_ms, end_ms]),
        times,
      )
    })

test('unfinished speech without text is transcribed with the next chunk', async () => {
  engine.omitsUnfinished = true
  const { id } = await recorded(cut([7_000]).map(([from, to]) => recordClock(from, to)))
  engine.omitsUnfinished = false
  assert.deepEqual(spoken(await transcriptOf(id)), wordsOf(few))
})

test('all segments of unfinished speech are replaced when it is transcribed again', async () => {
  engine.wordsPerSegment = 3
  const { id } = await recorded(cut([7_000]).map(([from, to]) => recordClock(from, to)))
  engine.wordsPerSegment = null
  assert.deepEqual(spoken(await transcriptOf(id)), wordsOf(few))
})

for (const kind of ['separate files', 'parts of one file'] as const)
  test(`an engine that remembers the conversation gets each chunk once, ${kind}`, async () => {
    const chunks = cut([7_000]).map(([from, to], seq) =>
      recordClock(from, to, seq === 0 || kind === 'separate files'),
    )
    engine.resumed = 0
    const { id } = await recorded(chunks)
    assert.equal(engine.resumed, chunks.length - 1)
    engine.resumed = null
    assert.deepEqual(spoken(await transcriptOf(id)), wordsOf(few))
  })

for (const kind of ['separate files', 'parts of one file'] as const)
  test(`an engine that forgets the conversation gets enough audio before each chunk, ${kind}`, async () => {
    const chunks = cut([7_000]).map(([from, to], seq) =>
      recordClock(from, to, seq === 0 || kind === 'separate files'),
    )
    engine.neededContextMs = 25_000
    const { id } = await recorded(chunks)
    engine.neededContextMs = null
    assert.deepEqual(spoken(await transcriptOf(id)), wordsOf(few))
  })

/** All of the clock in one chunk. */
const recordLong = (status: 'done' | null = 'done') =>
  recorded([recordClock(0, lengthOf(breaths))], { status })

test('a long recording is transcribed in parts without losing or repeating a word, and can be transcribed again', async () => {
  engine.ranges.length = 0
  const { id, token } = await recordLong()
  const ends = engine.ranges.map(([, end]) => end)
  assert.deepEqual(ends, [PART, 2 * PART, lengthOf(breaths)])
  assert.deepEqual(spoken(await transcriptOf(id)), wordsOf(breaths))
  const { body } = await portal.owner.get(`/api/v2/conversations/${id}`)
  assert.equal(body.duration_seconds, lengthOf(breaths) / 1000)
  await portal.owner.post(`/api/v2/conversations/${id}/retranscribe`)
  await untilStatus(portal, id, token, 'done', ({ revision }) => revision !== 1)
  assert.deepEqual(spoken(await transcriptOf(id)), wordsOf(breaths))
})

test('the parts of a long recording get enough audio before them', async () => {
  engine.neededContextMs = 25_000
  const { id } = await recordLong()
  engine.neededContextMs = null
  assert.deepEqual(spoken(await transcriptOf(id)), wordsOf(breaths))
})

test('live audio is transcribed before the rest of a long recording', async () => {
  engine.ranges.length = 0
  const release = engine.hold()
  const long = await recordLong(null)
  await until(
    async () => engine.ranges.length,
    (ranges) => ranges === 1,
  )
  const live = await newConversation(portal)
  await live.send('PUT', '/chunks/0', recordClock(0, 5_000))
  release()
  await untilStatus(portal, long.id, long.token, 'done')
  const ends = engine.ranges.map(([, end]) => end)
  assert.deepEqual(ends, [PART, 5_000, 2 * PART, lengthOf(breaths)])
})

test('keeps the transcribed part of a recording whose rest is unreadable, and marks the gap', async () => {
  engine.brokenFrom = PART + 1
  const { id } = await recordLong()
  engine.brokenFrom = Number.POSITIVE_INFINITY
  const lines = await transcriptOf(id)
  assert.deepEqual(lines.at(-1), {
    kind: 'missing',
    start_ms: PART,
    end_ms: PART + 1_000,
    reason: 'unreadable',
  })
  const words = spoken(lines)
  assert.deepEqual(words.slice(0, -1), wordsOf(breaths).slice(0, words.length - 1))
  assert.ok(words.length > 250, `${words.length} words`)
})

test('a missing chunk is marked, and filled in when it arrives', async () => {
  const { id, token, send } = await newConversation(portal)
  await send('PUT', '/chunks/0', recordClock(0, 7_000))
  await send('PUT', '/chunks/2', recordClock(14_000, 21_000))
  await send('POST', '/finish')
  await untilStatus(portal, id, token, 'done')
  const missing = (await transcriptOf(id)).filter(({ reason }) => reason !== undefined)
  assert.deepEqual(missing, [{ kind: 'missing', start_ms: 7_000, end_ms: 14_000, reason: 'not_received' }])
  await send('PUT', '/chunks/1', recordClock(7_000, 14_000))
  await untilStatus(portal, id, token, 'done')
  const lines = await transcriptOf(id)
  assert.ok(lines.every(({ reason }) => reason === undefined))
  const last = breaths.findIndex((breath) => (breath.at(-1)?.end ?? 0) > 14_000)
  const words = wordsOf(breaths.slice(0, last))
  assert.deepEqual(spoken(lines).slice(0, words.length), words)
})

test('a chunk without audio does not change the one before it', async () => {
  // In the middle of a word.
  const end = (breaths[2]?.[5]?.start ?? 0) + 200
  const { id } = await recorded([recordClock(0, end), recordClock(end, end)])
  const words = spoken(await transcriptOf(id))
  assert.deepEqual(words.slice(0, -1), wordsOf(breaths).slice(0, words.length - 1))
  assert.ok(words.length >= 3 + 1 + 5, words.join(' '))
})

test('no chunk is transcribed twice while all workers are busy', async () => {
  engine.ranges.length = 0
  const release = engine.hold()
  const { id, token, send } = await newConversation(portal)
  const chunks = cut([7_000])
  for (const [seq, [from, to]] of chunks.entries()) await send('PUT', `/chunks/${seq}`, recordClock(from, to))
  release()
  await send('POST', '/finish')
  await untilStatus(portal, id, token, 'done')
  assert.deepEqual(
    engine.ranges.map(([, end]) => end),
    chunks.map(([, end]) => end),
  )
})

test('continuations without a beginning fail once each, and do not delay another recording', async () => {
  const { id, token, send } = await newConversation(portal)
  for (const seq of [1, 2, 3, 4])
    await send('PUT', `/chunks/${seq}`, recordClock(seq * 7_000, (seq + 1) * 7_000, false))
  await send('PUT', '/chunks/5', recordClock(0, 7_000))
  await until(
    () => send('GET', ''),
    ({ body }) => body.transcript_so_far.includes(wordsOf(breaths)[0]),
  )
  await send('POST', '/finish')
  await untilStatus(portal, id, token, 'done')
  const jobs = `select from jobs.job where name = 'transcribe' and data ->> 'conversation_id' = $1`
  const { length } = await query(jobs, [id])
  // Each continuation can wait once for the chunk before it, and is tried once more when the next one arrives.
  assert.ok(length <= 5 + 4 + 4, `${length} jobs`)
  // The beginning arrives late, and its continuations are transcribed.
  await send('PUT', '/chunks/0', recordClock(0, 7_000))
  await untilStatus(portal, id, token, 'done')
  const lines = await transcriptOf(id)
  assert.ok(lines.every(({ reason }) => reason === undefined))
})

/** Ends the pause before the next attempt of a failed transcription. */
const retryNow = () =>
  query(`update jobs.job set start_after = now() where name = 'transcribe' and state = 'retry'`)

test('later chunks do not wait for a chunk that keeps failing', async () => {
  const { id, send } = await newConversation(portal)
  engine.failsFrom = 7_000
  engine.failsTo = 14_000
  for (const [seq, [from, to]] of cut([7_000]).slice(0, 3).entries())
    await send('PUT', `/chunks/${seq}`, recordClock(from, to))
  const later = breaths.flat().find(({ start }) => start > 15_000)?.text as string
  const progress = async () => {
    await retryNow()
    return send('GET', '')
  }
  await until(progress, ({ body }) => body.transcript_so_far.includes(later))
  engine.failsTo = engine.failsFrom
  await send('POST', '/finish')
  await until(progress, ({ body }) => body.status === 'done')
  const lines = await transcriptOf(id)
  assert.ok(lines.every(({ reason }) => reason === undefined))
})
