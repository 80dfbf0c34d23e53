import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { findFfmpeg } from '../../media/decode/find-ffmpeg.ts'
import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import { concatSamples } from '../../media/decode/resample.ts'
import { parseNumberOptions, quantile, rounded, saveFigures } from '../deliveries/figures.ts'
import { startFixtures } from '../ingest/fixtures.ts'
import { newPhone } from '../ingest/phone.ts'
import { cpuByPart, type PartSeconds } from '../process-cpu.ts'
import { recordingOf, samples, soundOf, writeOpus, writeSound } from './recordings.ts'

/**
 * `node bench/speech/live-speakers.ts --speakers=8 --seconds=90 --chunk=5`: English speakers record live with a service that uses the
 * embedded engine. Prints how long after the arrival of a chunk its text is stored, and the CPU time per second of audio, which does
 * not depend on the load of the machine. With ffmpeg the chunks are a WebM stream in slices, as browsers send it, otherwise WAV files.
 */
const options = parseNumberOptions({ speakers: 8, seconds: 90, chunk: 5 })
const POLL_MS = 50
const ffmpeg = findFfmpeg()
const folder = mkdtempSync(join(tmpdir(), 'parley-speakers-'))

/** The chunks of one speaker, who begins with another sample than the others. */
async function chunksOf(sounds: readonly Float32Array[], speaker: number): Promise<Buffer[]> {
  const length = options.seconds * SAMPLE_RATE
  const order = Array.from({ length: 99 }, (_, n) => sounds[(n + speaker) % sounds.length] as Float32Array)
  const sound = concatSamples(...order).slice(0, length)
  const count = Math.ceil(options.seconds / options.chunk)
  const wav = join(folder, 'sound.wav')
  if (ffmpeg === null)
    return Promise.all(
      Array.from({ length: count }, async (_, n) => {
        const path = join(folder, `${n}.wav`)
        const from = n * options.chunk * SAMPLE_RATE
        await writeSound(path, sound.slice(from, from + options.chunk * SAMPLE_RATE))
        return readFileSync(path)
      }),
    )
  await writeSound(wav, sound)
  const webm = join(folder, 'sound.webm')
  writeOpus(ffmpeg, wav, webm, '32k')
  const bytes = readFileSync(webm)
  const size = Math.ceil(bytes.length / count)
  return Array.from({ length: count }, (_, n) => bytes.subarray(n * size, (n + 1) * size))
}

const english = samples.filter(({ language, kind }) => language === 'en' && kind === 'human')
const sounds = await Promise.all(english.map(recordingOf).map(soundOf))
const speakers: Buffer[][] = []
for (let n = 0; n < options.speakers; n++) speakers.push(await chunksOf(sounds, n))
await using fixtures = await startFixtures({ TRANSCRIBER: 'embedded', SUMMARIZER: 'embedded' })
await using _worker = { ...(await fixtures.startWorker()), [Symbol.asyncDispose]: async () => {} }
const database = new pg.Client({ connectionString: fixtures.databaseUrl })
await database.connect()

const sentAt = new Map<string, number>()
const delays = new Map<string, number>()
const keyOf = (conversation: string, seq: number): string => `${conversation} ${seq}`

/** Notes when chunks are transcribed, until all that were sent are. */
async function watch(isDone: () => boolean): Promise<void> {
  while (!(isDone() && delays.size === sentAt.size)) {
    const query = `select conversation_id, seq, state from chunks where state <> 'stored'`
    const { rows } = await database.query<{ conversation_id: string; seq: number; state: string }>(query)
    for (const { conversation_id, seq, state } of rows) {
      const key = keyOf(conversation_id, seq)
      if (state === 'failed') throw new Error(`Chunk ${seq} failed.`)
      const sent = sentAt.get(key)
      if (sent !== undefined && !delays.has(key)) delays.set(key, (performance.now() - sent) / 1000)
    }
    await pause(POLL_MS)
  }
}

/** Sends each chunk when its audio would have been recorded. */
async function speak(chunks: readonly Buffer[], startAt: number): Promise<void> {
  const phone = await newPhone(fixtures.api.url, fixtures.projectId)
  for (const [seq, chunk] of chunks.entries()) {
    await pause(Math.max(0, startAt + (seq + 1) * options.chunk * 1000 - performance.now()))
    await phone.send(seq, chunk)
    sentAt.set(keyOf(phone.id, seq), performance.now())
  }
}

try {
  // Loads the models.
  await speak((speakers[0] ?? []).slice(0, 1), performance.now())
  await watch(() => true)
  sentAt.clear()
  delays.clear()
  const before = cpuByPart()
  const started = performance.now()
  let speaking = speakers.length
  const all = speakers.map(async (chunks, n) => {
    // Speakers do not begin at the same moment.
    await speak(chunks, started + (n / speakers.length) * options.chunk * 1000)
    speaking--
  })
  await Promise.all([watch(() => speaking === 0), ...all])
  const audio = options.speakers * options.seconds
  const after = cpuByPart()
  const cpu = Object.fromEntries(
    Object.entries(after).map(([part, seconds]) => [
      part,
      rounded((seconds - (before[part as keyof PartSeconds] ?? 0)) / audio),
    ]),
  )
  const seconds = [...delays.values()]
  const wall = (performance.now() - started) / 1000
  await saveFigures('live-speakers', {
    ...options,
    format: ffmpeg === null ? 'wav files' : 'webm stream',
    chunks: seconds.length,
    wall_seconds: rounded(wall, 1),
    text_delay_seconds: {
      p50: rounded(quantile(seconds, 0.5), 2),
      p95: rounded(quantile(seconds, 0.95), 2),
      max: rounded(Math.max(...seconds), 2),
    },
    cpu_per_audio_second: { ...cpu, all: rounded(Object.values(cpu).reduce((sum, part) => sum + part, 0)) },
  })
} finally {
  await database.end()
  rmSync(folder, { recursive: true })
}
