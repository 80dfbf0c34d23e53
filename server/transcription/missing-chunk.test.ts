import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeAudio } from '../../media/decode/decode.ts'
import { DECODE_LIMITS, SAMPLE_RATE } from '../../media/decode/limits.ts'
import { CHROMIUM_CUTS, fixture } from '../../media/testing/fixtures.ts'
import { probeFile } from '../../media/testing/probe-file.ts'
import { voice } from '../../media/testing/voice.ts'
import { createLog } from '../../platform/log.ts'
import { newConversation } from '../../test/support/conversations.ts'
import { lengthOf, recordClock, speak, wordClock } from '../../test/support/word-clock.ts'
import type { JobData } from '../background/queue.ts'
import { joinedKey } from '../conversations/chunks/file-keys.ts'
import { joinConversationAudio } from '../conversations/lifecycle/join-conversation-audio.ts'
import { backend, jobOf, portal, query, setUp } from '../conversations/testing/setup.ts'
import { LATE_MS } from './find-file-chunks.ts'
import { type TranscribeParts, transcribeChunk } from './transcribe-chunk.ts'
import type { Transcriber } from './transcriber.ts'

// The tests run the jobs themselves.
setUp({ enqueues: true })

const breaths = speak([3, 1, 12, 2, 7, 40, 1, 1, 5, 20, 4, 9])
const words = breaths.flat()
const CHUNK_MS = 7_000
const COUNT = Math.floor(lengthOf(breaths) / CHUNK_MS)

/** Runs the jobs of one conversation in the order in which they are enqueued. */
async function record(transcriber: Transcriber, slices: readonly Buffer[]) {
  const queue: JobData[] = []
  const parts: TranscribeParts = {
    db: backend.database.db,
    files: backend.files,
    transcriber,
    emit: async () => '',
    log: createLog('silent'),
    jobs: {
      ...backend.jobs,
      enqueue: async (_tx, name, data, options) =>
        void (name === 'transcribe' && !options?.startAfter && queue.push(data)),
      enqueueAll: async (_tx, _name, jobs) => void queue.push(...jobs.map(({ data }) => data)),
    },
  }
  const { id, send } = await newConversation(portal)
  const run = async () => {
    for (let job = queue.shift(); job; job = queue.shift()) await transcribeChunk(parts, jobOf(job))
  }
  return {
    id,
    send,
    /** Sends the slice and transcribes what can be. */
    async put(seq: number): Promise<void> {
      assert.equal((await send('PUT', `/chunks/${seq}`, slices[seq])).status, 201)
      await transcribeChunk(parts, jobOf({ conversation_id: id, seq }))
      await run()
    },
    transcribe: async (seq: number) => {
      await transcribeChunk(parts, jobOf({ conversation_id: id, seq }))
      await run()
    },
    async finish(): Promise<void> {
      await send('POST', '/finish')
      for (const { seq } of await query(
        `select seq from chunks where conversation_id = $1 and state = 'stored' order by seq`,
        [id],
      ))
        await transcribeChunk(parts, jobOf({ conversation_id: id, seq }))
      await run()
    },
    async spoken(): Promise<{ text: string; start_ms: number; reason?: string; end_ms: number }[]> {
      const { body } = await portal.owner.get(`/api/v2/conversations/${id}/transcript?format=json`)
      return body.entries
    },
    read: async () => (await portal.owner.get(`/api/v2/conversations/${id}`)).body,
  }
}

/** One recording in slices; only the first one has a header. */
const clockSlices = Array.from({ length: COUNT }, (_, seq) =>
  recordClock(seq * CHUNK_MS, (seq + 1) * CHUNK_MS, seq === 0),
)
const LOST = 3
const [lostFrom, lostTo] = [LOST * CHUNK_MS, (LOST + 1) * CHUNK_MS]

/** The words that lie in neither the lost slice nor at its edges. */
const keptWords = words.filter(
  ({ start, end }) => end < COUNT * CHUNK_MS && (end < lostFrom || start > lostTo + 400),
)

test('a missing slice costs that slice only, and later words keep their times', async () => {
  const recording = await record(wordClock(breaths), clockSlices)
  for (const seq of clockSlices.keys()) if (seq !== LOST) await recording.put(seq)
  await recording.finish()
  const lines = await recording.spoken()
  const gap = lines.find(({ reason }) => reason !== undefined)
  assert.deepEqual([gap?.start_ms, gap?.end_ms, gap?.reason], [lostFrom, lostTo, 'not_received'])
  const text = lines.map((line) => line.text ?? '').join(' ')
  for (const word of keptWords)
    assert.ok(text.includes(word.text), `${word.text} at ${word.start} ms is lost`)
  const late = breaths.filter(([first]) => (first?.start ?? 0) > lostTo + 2_000)
  for (const line of lines.filter(({ start_ms }) => start_ms > lostTo + 2_000)) {
    const breath = late.find(([first]) => first?.text === line.text.split(' ')[0])
    assert.ok(
      Math.abs((breath?.[0]?.start ?? 0) - line.start_ms) <= 100,
      `${line.text} at ${line.start_ms} ms`,
    )
  }
  const { missing_seconds, missing, duration_seconds } = await recording.read()
  assert.equal(missing_seconds, CHUNK_MS / 1_000)
  assert.deepEqual(missing, [{ start_ms: lostFrom, end_ms: lostTo }])
  assert.equal(duration_seconds, ((COUNT - 1) * CHUNK_MS) / 1_000)
})

test('live text continues when the slice is late, and a late slice corrects text and times', async () => {
  const recording = await record(wordClock(breaths), clockSlices)
  for (const seq of [0, 1, 2]) await recording.put(seq)
  const before = Date.now()
  await recording.put(4)
  const later = words.filter(({ start, end }) => start > 4 * CHUNK_MS + 400 && end < 5 * CHUNK_MS)
  const live = async () => (await recording.send('GET', '')).body.transcript_so_far as string
  assert.ok(!(await live()).includes(later[3]?.text as string))
  // The slice before it can still arrive.
  const delayed = (await rowsOf(recording.id, 4)).waits_for_previous
  assert.equal(delayed, true)
  await query(
    `update chunks set received_at = received_at - interval '1 minute' where conversation_id = $1`,
    [recording.id],
  )
  await recording.transcribe(4)
  await recording.put(5)
  for (const word of later) assert.ok((await live()).includes(word.text), word.text)
  assert.ok((await recording.read()).missing_seconds > 0)
  assert.ok(Date.now() - before < LATE_MS)
  await recording.put(LOST)
  for (const seq of [...clockSlices.keys()].slice(6)) await recording.put(seq)
  await recording.finish()
  const lines = await recording.spoken()
  const spoken = lines.flatMap(({ text }) => text?.split(' ') ?? [])
  const whole = words.filter(({ end }) => end < COUNT * CHUNK_MS - 1_000).map(({ text }) => text)
  assert.deepEqual(spoken.slice(0, whole.length), whole)
  const { missing_seconds, missing } = await recording.read()
  assert.deepEqual([missing_seconds, missing], [0, []])
})

test('text after a missing slice has its time while an earlier slice waits to be transcribed', async () => {
  const recording = await record(wordClock(breaths), clockSlices)
  for (const seq of [0, 1]) await recording.put(seq)
  assert.equal((await recording.send('PUT', '/chunks/2', clockSlices[2])).status, 201)
  await recording.put(4)
  await query(
    `update chunks set received_at = received_at - interval '1 minute' where conversation_id = $1`,
    [recording.id],
  )
  await recording.transcribe(4)
  const [waiting, later] = [await rowsOf(recording.id, 2), await rowsOf(recording.id, 4)]
  assert.deepEqual([waiting.state, later.state], ['stored', 'transcribed'])
  const { body } = await portal.owner.get(`/api/v2/conversations/${recording.id}/segments`)
  for (const starts of [
    (await recording.spoken()).filter(({ reason }) => !reason).map(({ start_ms }) => start_ms),
    body.data.map(({ start_ms }: { start_ms: number }) => start_ms),
  ]) {
    const first = starts.find((start: number) => start > 2 * CHUNK_MS)
    assert.ok(first >= lostTo - 100 && first < lostTo + CHUNK_MS, `${first} ms`)
  }
})

test('a slice that arrives after the end repeats no words', async () => {
  for (const lost of [1, 2, 3, 4, 5]) {
    const recording = await record(wordClock(breaths), clockSlices)
    for (const seq of clockSlices.keys()) if (seq !== lost) await recording.put(seq)
    await recording.finish()
    await recording.put(lost)
    const lines = await recording.spoken()
    const spoken = lines.flatMap(({ text }) => text?.split(' ') ?? [])
    const whole = words.filter(({ end }) => end < COUNT * CHUNK_MS - 1_000).map(({ text }) => text)
    assert.deepEqual(spoken.slice(0, whole.length), whole, `slice ${lost}`)
  }
})

const rowsOf = async (id: string, seq: number) =>
  (await query('select * from chunks where conversation_id = $1 and seq = $2', [id, seq]))[0]

/** Says how much audio it decodes, and when sound begins. */
const listener: Transcriber = {
  capabilities: { ...wordClock([]).capabilities, preRoll: false },
  async transcribe({ path, container, from, signal }) {
    const skip = Math.round(from * SAMPLE_RATE)
    let samples = 0
    for await (const block of decodeAudio({
      path,
      container,
      ffmpeg: null,
      limits: DECODE_LIMITS,
      signal,
      skip,
    }))
      samples += block.length
    const duration = from + samples / SAMPLE_RATE
    const segments = samples > 0 ? [{ start: from, end: duration, text: `${container} ${from}` }] : []
    return { language: 'en', duration, isWhole: true, segments }
  },
  close: async () => {},
}

for (const container of ['webm', 'mp4'] as const)
  for (const lost of [0, 3])
    test(`a Chromium recording (${container}) without slice ${lost} keeps all other audio, at its time`, async () => {
      const bytes = fixture(`chromium.${container}`)
      const edges = [0, ...CHROMIUM_CUTS[container], bytes.length]
      const slices = edges.slice(1).map((end, n) => bytes.subarray(edges[n], end))
      const recording = await record(listener, slices)
      for (const seq of slices.keys()) if (seq !== lost) await recording.put(seq)
      await recording.finish()
      const { missing_seconds, missing, duration_seconds } = await recording.read()
      // The first MP4 slice is a header without audio.
      const lostSeconds = container === 'mp4' && lost === 0 ? 0 : 1
      assert.ok(Math.abs(missing_seconds - lostSeconds) < 0.12, `${missing_seconds} s are missing`)
      assert.ok(Math.abs(duration_seconds + missing_seconds - 7.95) < 0.1, `${duration_seconds} s`)
      assert.equal(missing.length, lostSeconds)
      await query('update conversations set status = $2 where id = $1', [recording.id, 'done'])
      const { db } = backend.database
      await joinConversationAudio(
        { db, files: backend.files, log: createLog('silent') },
        jobOf({ conversation_id: recording.id, revision: 1 }),
      )
      const { seconds, packets } = await backend.files.withPaths([joinedKey(recording.id, 1)], ([path]) =>
        probeFile(path as string),
      )
      assert.ok(Math.abs(seconds - 7.95) < 0.1, `${seconds} s`)
      const [hole] = missing
      if (!hole) return
      const silent = packets.filter(({ data }) => data.length === 3).map(({ timestamp }) => timestamp * 1_000)
      assert.ok(Math.abs((silent[0] ?? 0) - hole.start_ms) <= 80, `${silent[0]} ms, ${hole.start_ms} ms`)
      assert.ok(
        Math.abs((silent.at(-1) ?? 0) + 20 - hole.end_ms) <= 80,
        `${silent.at(-1)} ms, ${hole.end_ms} ms`,
      )
    })

for (const [name, slices, kept] of [
  [
    'samples are kept',
    [1, 2].map(() => voice(5, { rate: 44_100, channels: 2, bytes: 2, isFloat: false })),
    10,
  ],
  ['bytes of no known format are missing', [1, 2].map(() => Buffer.alloc(160_000, 'no samples')), 0],
] as const)
  test(`without the first slice of a WAV recording, with its header, ${name}`, async () => {
    const recording = await record(listener, [Buffer.alloc(0), ...slices])
    await query('update conversations set chunk_seconds = 5 where id = $1', [recording.id])
    for (const seq of [1, 2]) await recording.put(seq)
    await recording.finish()
    const { missing_seconds, duration_seconds } = await recording.read()
    assert.ok(Math.abs(duration_seconds - kept) < 0.1, `${duration_seconds} s`)
    assert.ok(Math.abs(missing_seconds - (15 - kept)) < 0.1, `${missing_seconds} s are missing`)
    if (kept === 0) return
    await query('update conversations set status = $2 where id = $1', [recording.id, 'done'])
    await joinConversationAudio(
      { db: backend.database.db, files: backend.files, log: createLog('silent') },
      jobOf({ conversation_id: recording.id, revision: 1 }),
    )
    const { seconds } = await backend.files.withPaths([joinedKey(recording.id, 1)], ([path]) =>
      probeFile(path as string),
    )
    assert.ok(Math.abs(seconds - 15) < 0.2, `${seconds} s`)
  })
