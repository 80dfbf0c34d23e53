import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import type * as Mediabunny from 'mediabunny'
import { openAacDecoder } from '../media/aac/aac-decoder.ts'
import { concatSamples } from '../media/decode/resample.ts'
import { median, rounded, saveFigures } from './deliveries/figures.ts'

/**
 * `node bench/aac.ts --library=FOLDER`: compares our AAC decoder with `@mediabunny/server` (FFmpeg), in separate
 * processes that take turns.
 * FOLDER is where `npm install mediabunny @mediabunny/server` ran: 213 MB, so it is not a dependency of this project.
 * Prints the start-up time, the CPU time per hour of stereo audio, the peak memory, and the largest difference to the reference samples.
 */
const { values: given } = parseArgs({
  options: {
    library: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    repeats: { type: 'string', default: '400' },
    child: { type: 'string' },
  },
})
const FIXTURES = join(import.meta.dirname, '../media/aac/testing')
const RECORDING = join(FIXTURES, 'every-tool.m4a')
const REFERENCE = join(FIXTURES, 'every-tool.flac')
const LIBRARY = '@mediabunny/server'
/** A decoder either drops the samples of the encoder delay or returns them. */
const ENCODER_DELAY = 1_024

interface Figures {
  start_ms: number
  cpu_seconds_per_hour: number
  peak_mb: number
  worst_difference: number
}

interface Measured extends Omit<Figures, 'worst_difference'> {
  /** Mono, as base64. */
  samples: string
}

if (given.child) console.log(JSON.stringify(await measure(given.child)))
else await compare(given.library)

async function compare(library: string | undefined): Promise<void> {
  if (!library)
    throw new Error('Pass --library=FOLDER, where mediabunny and @mediabunny/server are installed.')
  const expected = await readReference()
  const rounds: Record<string, Figures[]> = { ours: [], library: [] }
  for (let round = 0; round < Number(given.rounds); round++) {
    for (const [name, figures] of Object.entries(rounds)) {
      const { samples, ...measured } = await startChild(name)
      figures.push({ ...measured, worst_difference: worstDifference(expected, samples) })
    }
  }
  const decoders = Object.fromEntries(
    Object.entries(rounds).map(([name, figures]) => [name, medians(figures)]),
  )
  const startsWithPermissions = await startChild('library', ['--permission', '--allow-fs-read=*']).then(
    () => true,
    () => false,
  )
  await saveFigures('aac', { library_starts_with_permission_model: startsWithPermissions, decoders })
}

function medians(figures: Figures[]): Figures {
  const of = (key: keyof Figures, digits: number) => rounded(median(figures.map((each) => each[key])), digits)
  return {
    start_ms: of('start_ms', 0),
    cpu_seconds_per_hour: of('cpu_seconds_per_hour', 2),
    peak_mb: of('peak_mb', 0),
    worst_difference: of('worst_difference', 7),
  }
}

async function startChild(name: string, nodeFlags: string[] = []): Promise<Measured> {
  const flags = [...nodeFlags, import.meta.filename, ...process.argv.slice(2), `--child=${name}`]
  const { stdout } = await promisify(execFile)(process.execPath, flags, { maxBuffer: 2 ** 24 })
  return JSON.parse(stdout) as Measured
}

async function measure(name: string): Promise<Measured> {
  const isOurs = name === 'ours'
  const require = createRequire(isOurs ? import.meta.url : join(given.library ?? '.', 'package.json'))
  const mediabunny: typeof Mediabunny = require('mediabunny')
  if (!isOurs) require(LIBRARY).registerMediabunnyServer()
  const decode = isOurs ? decodeByOurs : decodeByLibrary
  const { samples, sampleRate } = await decode(mediabunny)
  const startMs = performance.now()
  const before = process.cpuUsage()
  const repeats = Number(given.repeats)
  for (let n = 0; n < repeats; n++) await decode(mediabunny)
  const { user, system } = process.cpuUsage(before)
  const hours = (repeats * samples.length) / sampleRate / 3_600
  return {
    start_ms: startMs,
    cpu_seconds_per_hour: (user + system) / 1e6 / hours,
    peak_mb: process.resourceUsage().maxRSS / 1_024,
    samples: Buffer.from(samples.buffer, 0, samples.byteLength).toString('base64'),
  }
}

interface Decoded {
  samples: Float32Array
  sampleRate: number
}

async function openTrack({ Input, MP4, FilePathSource }: typeof Mediabunny) {
  const input = new Input({ formats: [MP4], source: new FilePathSource(RECORDING) })
  const track = await input.getPrimaryAudioTrack()
  const config = await track?.getDecoderConfig()
  if (!track || !(config?.description instanceof Uint8Array)) throw new Error('The fixture has no AAC track.')
  return { track, description: config.description, sampleRate: config.sampleRate }
}

async function decodeByOurs(mediabunny: typeof Mediabunny): Promise<Decoded> {
  const { track, description, sampleRate } = await openTrack(mediabunny)
  const sink = new mediabunny.EncodedPacketSink(track)
  const packets = await Array.fromAsync(sink.packets(), ({ data }) => data)
  const decoded = await openAacDecoder(description)?.decodeFrames(packets)
  return { samples: decoded?.channelData[0] ?? new Float32Array(), sampleRate }
}

async function decodeByLibrary(mediabunny: typeof Mediabunny): Promise<Decoded> {
  const { track, sampleRate } = await openTrack(mediabunny)
  const blocks: Float32Array[] = []
  for await (const sample of new mediabunny.AudioSampleSink(track).samples()) {
    const channels = Array.from({ length: sample.numberOfChannels }, (_, planeIndex) => {
      const plane = new Float32Array(sample.numberOfFrames)
      sample.copyTo(plane, { planeIndex, format: 'f32-planar' })
      return plane
    })
    sample.close()
    blocks.push(mixed(channels))
  }
  return { samples: concatSamples(...blocks), sampleRate }
}

/** Transcription needs one channel, and so our decoder returns one. */
function mixed([first = new Float32Array(), ...others]: Float32Array[]): Float32Array {
  return first.map(
    (value, n) => others.reduce((sum, plane) => sum + (plane[n] ?? 0), value) / (1 + others.length),
  )
}

async function readReference(): Promise<Float32Array> {
  const { readTrack } = await import('../media/decode/read-track.ts')
  const blocks = await Array.fromAsync(readTrack('flac', REFERENCE, { until: 0, skipped: 0 }))
  return concatSamples(...blocks.map(({ channelData }) => channelData[0] ?? new Float32Array()))
}

function worstDifference(expected: Float32Array, base64: string): number {
  const samples = new Float32Array(Uint8Array.from(Buffer.from(base64, 'base64')).buffer)
  const delay = samples.length - expected.length
  if (delay !== 0 && delay !== ENCODER_DELAY)
    throw new Error(`${samples.length} samples were decoded instead of ${expected.length}.`)
  return expected.reduce((worst, value, n) => Math.max(worst, Math.abs(value - (samples[n + delay] ?? 0))), 0)
}
