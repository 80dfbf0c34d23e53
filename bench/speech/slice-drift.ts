import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { decodeFile } from '../../media/decode/decode-file.ts'
import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import { concatSamples } from '../../media/decode/resample.ts'
import { startBackend } from '../../test/support/backend.ts'
import { newConversation, newPortal } from '../../test/support/conversations.ts'
import { scriptedSummarizer, scriptedTranscriber } from '../../test/support/engines.ts'
import { globalSetup, globalTeardown } from '../../test/support/global-setup.ts'
import { rounded, saveFigures } from '../deliveries/figures.ts'

/**
 * `node bench/speech/slice-drift.ts [--seconds=3600] [--slice=5] [--rate=48000]`: how far text and joined sound are apart after an hour of
 * restarted AAC slices in MP4, sent to a service as a phone sends them. A tone every 7.3 s marks the time. Instead of a speech model, an
 * engine decodes each slice and returns a segment per tone. Needs ffmpeg, which encodes the slices and decodes the joined file.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3600' },
    slice: { type: 'string', default: '5' },
    rate: { type: 'string', default: '48000' },
  },
})
const [seconds, slice, rate] = [Number(values.seconds), Number(values.slice), Number(values.rate)]
const TONE_SECONDS = 0.1
const BETWEEN_TONES = 7.3
const LOUD = 0.15
/** A tone that two slices share would be found twice. */
const MARGIN = 0.3

const marks = Array.from(
  { length: Math.floor(seconds / BETWEEN_TONES) },
  (_, n) => (n + 0.5) * BETWEEN_TONES,
).filter((at) => at % slice > MARGIN && at % slice < slice - MARGIN)
const folder = mkdtempSync(join(tmpdir(), 'parley-drift-'))
const transcriber = scriptedTranscriber()
transcriber.transcribe = async ({ container, path, from }) => {
  const samples = concatSamples(...(await Array.fromAsync(decodeFile(container, path, 0))))
  const segments = tonesIn(samples)
    .filter((start) => start >= from)
    .map((start) => ({ start, end: start + TONE_SECONDS, text: 'Tone.' }))
  return { language: 'en', duration: samples.length / SAMPLE_RATE, isWhole: true, segments }
}
await globalSetup()
const backend = await startBackend({ engines: { transcriber, summarizer: scriptedSummarizer() } })
try {
  const portal = await newPortal(backend)
  const { id, send } = await newConversation(portal)
  const count = Math.ceil(seconds / slice)
  for (let seq = 0; seq < count; seq++) {
    const { status } = await send('PUT', `/chunks/${seq}`, await encodeSlice(seq), {
      'content-type': 'audio/mp4',
    })
    if (status !== 201) throw new Error(`Chunk ${seq}: ${status}`)
  }
  await send('POST', '/finish')
  const path = `/api/v2/conversations/${id}`
  while ((await portal.owner.get(path)).body.status !== 'done') await sleep(500)
  const { entries } = (await portal.owner.get(`${path}/transcript?format=json`)).body
  const text = entries.map((entry: { start_ms: number }) => entry.start_ms / 1000) as number[]
  let audio = await fetchAudio(`${backend.url}${path}/audio`, portal.owner.token)
  while (audio.status === 409) {
    await sleep(500)
    audio = await fetchAudio(`${backend.url}${path}/audio`, portal.owner.token)
  }
  const joined = join(folder, 'joined.mp4')
  await writeFile(joined, Buffer.from(await audio.arrayBuffer()))
  const probe = await promisify(execFile)('ffprobe', [
    '-v',
    'error',
    '-show_entries',
    'format=duration:stream=codec_name',
    '-of',
    'csv=p=0',
    joined,
  ])
  await saveFigures(rate === 48_000 ? 'slice-drift' : `slice-drift-${rate}`, {
    seconds,
    slices: count,
    slice_seconds: slice,
    sample_rate: rate,
    joined: probe.stdout.trim().split('\n'),
    tones: marks.length,
    // All samples one after the other, as Web Audio decodes a file.
    text_to_samples_ms: distance(text, tonesIn(await decodeJoined(joined, []))),
    // Each packet at its timestamp, as a player plays it.
    text_to_playback_ms: distance(
      text,
      tonesIn(await decodeJoined(joined, ['-af', 'aresample=async=1000:first_pts=0'])),
    ),
    text_to_recording_ms: distance(text, marks),
  })
} finally {
  await backend.stop()
  await globalTeardown()
  rmSync(folder, { recursive: true })
}

function fetchAudio(url: string, token: string): Promise<Response> {
  return fetch(url, { headers: { authorization: `Bearer ${token}` } })
}

/** The samples of one slice, encoded as a file of its own, like a recorder that is restarted. */
async function encodeSlice(seq: number): Promise<Buffer> {
  const samples = new Float32Array(Math.round(Math.min(slice, seconds - seq * slice) * rate))
  for (const mark of marks) {
    const first = Math.round((mark - seq * slice) * rate)
    if (first < 0 || first >= samples.length) continue
    for (let n = 0; n < TONE_SECONDS * rate; n++)
      samples[first + n] = 0.5 * Math.sin((2 * Math.PI * 1_000 * n) / rate)
  }
  const target = join(folder, 'slice.mp4')
  const input = ['-f', 'f32le', '-ar', `${rate}`, '-ac', '1', '-i', '-']
  const ffmpeg = spawn('ffmpeg', ['-v', 'error', '-y', ...input, '-c:a', 'aac', '-b:a', '64k', target], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const ended = new Promise((resolve) => ffmpeg.once('close', resolve))
  ffmpeg.stdin.end(Buffer.from(samples.buffer))
  if ((await ended) !== 0) throw new Error('ffmpeg could not encode a slice')
  return readFile(target)
}

async function decodeJoined(path: string, filters: string[]): Promise<Float32Array> {
  const output = ['-f', 'f32le', '-ar', `${SAMPLE_RATE}`, '-ac', '1', '-']
  const { stdout } = await promisify(execFile)('ffmpeg', ['-v', 'error', '-i', path, ...filters, ...output], {
    encoding: 'buffer',
    maxBuffer: 2 ** 30,
  })
  return new Float32Array(Uint8Array.from(stdout).buffer)
}

/** Where tones begin, in seconds. */
function tonesIn(samples: Float32Array): number[] {
  const starts: number[] = []
  let lastLoud = Number.NEGATIVE_INFINITY
  for (const [at, value] of samples.entries()) {
    if (Math.abs(value) < LOUD) continue
    if (at - lastLoud > MARGIN * SAMPLE_RATE) starts.push(at / SAMPLE_RATE)
    lastLoud = at
  }
  return starts
}

/** The differences in milliseconds: at the end, and the largest. */
function distance(one: readonly number[], other: readonly number[]) {
  if (one.length !== other.length)
    throw new Error(`${one.length} tones in the text, ${other.length} in the sound`)
  const differences = one.map((at, n) => (at - (other[n] ?? 0)) * 1_000)
  return {
    largest: rounded(Math.max(...differences.map(Math.abs)), 1),
    first: rounded(differences[0] ?? 0, 1),
    last: rounded(differences.at(-1) ?? 0, 1),
  }
}
