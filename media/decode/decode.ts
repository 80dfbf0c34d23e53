import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { startIdleTimeout } from '../../platform/idle-timeout.ts'
import type { Container } from '../containers/container.ts'
import { limitProcessCpu } from '../cpu-limit.ts'
import { MediaFailure } from '../failure.ts'
import { memoryOf, type ProcessUsage } from '../process-usage.ts'
import { type DecoderProcess, spawnFfmpeg, spawnOwnDecoder } from './decoder-process.ts'
import { withoutFirst } from './frames.ts'
import { type DecodeLimits, maxSecondsFor, SAMPLE_RATE } from './limits.ts'
import { NEEDS_FFMPEG, UNAVAILABLE } from './result-codes.ts'

export interface Recording {
  path: string
  container: Container
  /** The program; null: only the decoders from npm. */
  ffmpeg: string | null
  limits: DecodeLimits
  signal: AbortSignal
  /** How many samples to leave out at the beginning: those of earlier chunks of the same file. */
  skip: number
  /** Called after each block of samples, skipped ones included. */
  onStep?(): void
}

/** With limits that depend on the file's size. */
type FileRecording = Recording & { maxReadBytes: number }

/** Containers in which ffmpeg seeks to the exact sample. */
const SEEKABLE_BY_FFMPEG = new Set<Container>(['wav', 'flac', 'mp3', 'aac', 'aiff'])
/** All chunks of a file need the same decoder: decoders treat the encoder delay of MP4 differently. */
const OWN_DECODER_FIRST = new Set<Container>(['mp4', 'aiff', 'caf'])
/** ffmpeg decodes this much before the requested samples: MP3 frames use bits of earlier frames. */
const PREROLL = SAMPLE_RATE
const MEMORY_CHECK_MS = 200
/** A decoder reads its own code, then the file once, or twice to seek. Reading more than that is not progress. */
const maxReadOf = (fileBytes: number): number => 2 * fileBytes + 64 * 2 ** 20

/** Mono samples at 16 kHz, decoded in a process per recording, which isolates hostile bytes. A truncated file yields the samples before its end. */
export async function* decodeAudio(given: Recording): AsyncGenerator<Float32Array> {
  const { path, container, ffmpeg, skip } = given
  const { size } = await stat(path).catch(() => {
    throw unavailable('The recording is missing on disk.')
  })
  const limits = { ...given.limits, maxSeconds: maxSecondsFor(size, given.limits) }
  const recording = { ...given, limits, maxReadBytes: maxReadOf(size) }
  if (ffmpeg === null) yield* decodeByOwnDecoder(recording)
  else if (OWN_DECODER_FIRST.has(container) || (skip > 0 && !SEEKABLE_BY_FFMPEG.has(container)))
    yield* decodeByOwnDecoderOr(ffmpeg, recording)
  else yield* decodeByFfmpeg(ffmpeg, recording)
}

/** Skips packets by their duration, without decoding them. */
function decodeByOwnDecoder(recording: FileRecording): AsyncGenerator<Float32Array> {
  return read(spawnOwnDecoder(recording), recording, recording.skip)
}

function decodeByFfmpeg(ffmpeg: string, recording: FileRecording): AsyncGenerator<Float32Array> {
  const { container, skip } = recording
  const seek = SEEKABLE_BY_FFMPEG.has(container) ? Math.max(0, skip - PREROLL) : 0
  const child = spawnFfmpeg(ffmpeg, { ...recording, skip: seek })
  return withoutFirst(read(child, recording, seek), () => skip - seek)
}

/** Falls back to ffmpeg where our decoder cannot read the file or exceeds a limit before the first sample. */
async function* decodeByOwnDecoderOr(ffmpeg: string, recording: FileRecording): AsyncGenerator<Float32Array> {
  let hasSamples = false
  try {
    for await (const samples of decodeByOwnDecoder(recording)) {
      hasSamples = true
      yield samples
    }
  } catch (error) {
    const isUnavailable = !(error instanceof MediaFailure) || error.code === 'unavailable'
    if (hasSamples || isUnavailable) throw error
    yield* decodeByFfmpeg(ffmpeg, recording)
  }
}

/** Reads the samples of a decoder, and kills it if it exceeds a limit. */
async function* read(
  child: DecoderProcess,
  { container, limits, maxReadBytes, signal, onStep }: FileRecording,
  from: number,
): AsyncGenerator<Float32Array> {
  const failed = new AbortController()
  const stopped = AbortSignal.any([signal, failed.signal])
  const kill = (): void => void child.kill('SIGKILL')
  if (stopped.aborted) kill()
  stopped.addEventListener('abort', kill)
  child.stdin?.on('error', () => {})
  const { stallMs, stuckCpuMs, maxMemoryMb, maxSeconds } = limits
  const checkMemory = async (): Promise<void> => {
    if ((await memoryOf(child.pid ?? 0)) > maxMemoryMb)
      failed.abort(unreadable(`decoding it takes more than ${maxMemoryMb} MiB`))
  }
  const memory = setInterval(() => void checkMemory(), MEMORY_CHECK_MS)
  const onStall = () => failed.abort(interrupted(cannotRead(`no audio was decoded for ${stallMs / 1000} s`)))
  const onStuck = () =>
    failed.abort(unreadable(`decoding it takes ${stuckCpuMs / 1000} s of CPU time without audio`))
  const bytesRead = (usage: ProcessUsage) => (usage.bytesRead <= maxReadBytes ? usage.bytesRead : 0)
  const startTimers = () => [
    startIdleTimeout(stallMs, onStall),
    limitProcessCpu(child.pid, bytesRead, onStuck, stuckCpuMs),
  ]
  const exited = exitOf(child)
  let count = from
  try {
    for await (const samples of floatsOf(child, startTimers)) {
      stopped.throwIfAborted()
      count += samples.length
      onStep?.()
      if (count > maxSeconds * SAMPLE_RATE)
        throw unreadable(`it is longer than ${Math.round(maxSeconds / 60)} minutes, the limit for its size`)
      yield samples
    }
    stopped.throwIfAborted()
    const timers = startTimers()
    const exit = await exited.finally(() => stopAll(timers))
    stopped.throwIfAborted()
    if (exit instanceof Error) throw unavailable(`The decoder could not be started (${exit.message}).`)
    if (isKilled(exit)) throw interrupted('The decoder was killed by another process or the system.')
    const { code, reason } = exit
    if (code === UNAVAILABLE) throw unavailable('The recording could not be read from disk.')
    if (count > from || code === 0) return
    if (code === NEEDS_FFMPEG) throw new MediaFailure('needs_ffmpeg', cannotRead(reason))
    throw unreadable(reason || `its bytes are not ${container} with audio`)
  } finally {
    clearInterval(memory)
    stopped.removeEventListener('abort', kill)
    kill()
  }
}

const cannotRead = (reason: string): string => `The recording can't be read: ${reason}.`
const unreadable = (reason: string): MediaFailure => new MediaFailure('unreadable', cannotRead(reason))
const interrupted = (message: string): MediaFailure => new MediaFailure('interrupted', message)
const unavailable = (message: string): MediaFailure => new MediaFailure('unavailable', message)

interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
  reason: string
}

/** Signals of the out-of-memory killer or of an operator. A decoder that crashes on its input dies of others. */
const OUTSIDE_SIGNALS = new Set<NodeJS.Signals | null>(['SIGKILL', 'SIGTERM', 'SIGINT'])
/** ffmpeg catches signals and exits with this code; its own time limit does the same. */
const FFMPEG_CAUGHT_SIGNAL = 255

/** The samples of a killed decoder are incomplete: accepting them would lose the rest of the recording. */
const isKilled = ({ code, signal }: Exit): boolean =>
  OUTSIDE_SIGNALS.has(signal) || code === FFMPEG_CAUGHT_SIGNAL

/** Our own decoder writes this to stderr before a signal ends it, after warnings of libraries: a code, and a reason. */
const RESULT = /\nresult (\d+) (.{0,200})/s

/** Resolves with an error if the process could not be started. */
async function exitOf(child: DecoderProcess): Promise<Exit | Error> {
  let output = ''
  child.stderr?.on('data', (data: Buffer) => (output = (output + data).slice(-1_000)))
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
    const [, reported, reason = ''] = RESULT.exec(output) ?? []
    return reported ? { code: Number(reported), signal: null, reason } : { code, signal, reason: '' }
  } catch (error) {
    return error as Error
  }
}

const stopAll = (timers: { stop(): void }[]): void => {
  for (const timer of timers) timer.stop()
}

/** The timers run only while we wait: a slow consumer must not count against the decoder. */
async function* floatsOf(
  child: DecoderProcess,
  startTimers: () => { stop(): void }[],
): AsyncGenerator<Float32Array> {
  let rest = Buffer.alloc(0)
  const chunks = child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  while (true) {
    const timers = startTimers()
    const next = await chunks.next().finally(() => stopAll(timers))
    if (next.done) return
    const bytes = Buffer.concat([rest, next.value])
    const whole = bytes.length - (bytes.length % 4)
    rest = bytes.subarray(whole)
    if (whole > 0) yield new Float32Array(new Uint8Array(bytes.subarray(0, whole)).buffer)
  }
}
