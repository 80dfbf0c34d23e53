import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import type { Container } from '../../server/transcription/transcriber.ts'
import { SpeechFailure } from '../../speech/failure.ts'
import {
  type DecoderProcess,
  EXIT_NEEDS_FFMPEG,
  EXIT_UNAVAILABLE,
  EXIT_UNREADABLE,
  memoryOf,
  type ProcessUsage,
  spawnFfmpeg,
  spawnOwnDecoder,
  usageOf,
} from './decoder-process.ts'
import { withoutFirst } from './frames.ts'
import { type DecodeLimits, mostSeconds, SAMPLE_RATE } from './limits.ts'

interface FileLimits extends DecodeLimits {
  maxReadBytes: number
}

export interface Recording {
  path: string
  container: Container
  /** Of the program; null: the decoders that came with npm. */
  ffmpeg: string | null
  limits: DecodeLimits
  signal: AbortSignal
  /** Samples at the beginning that are not asked for: what came before, when a recording comes in slices. */
  skip: number
  /** After each piece of work, also of what is not asked for: it goes on. */
  onStep?(): void
}

/** With limits that depend on the file's size. */
type FileRecording = Recording & { limits: FileLimits }

/** Ffmpeg finds a moment in these to the sample. */
const SOUGHT = new Set<Container>(['wav', 'flac', 'mp3', 'aac'])
/** One decoder for all parts of a file: of an encoder's run-up, which MP4 tells of, each makes what it likes. */
const OURS_FIRST = new Set<Container>(['mp4'])
/** Decoded before what is asked for: MP3 borrows bits from frames before. */
const PREROLL = SAMPLE_RATE
const MEMORY_CHECK_MS = 200
/** How often within its limit it is looked whether sound came: where we stood still ourselves, that is one look. */
const STALL_LOOKS = 12
const CPU_CHECK_MS = 250
/** A decoder reads a file once, perhaps once more to find a moment in it, and its own code before. Reading more is no progress. */
const OWN_CODE_BYTES = 64 * 2 ** 20
const maxReadOf = (fileBytes: number): number => 2 * fileBytes + OWN_CODE_BYTES

/**
 * The recording's audio, mono, 16 kHz, piece by piece as it is decoded. Each recording gets a process of its own, which
 * costs a tenth of a second: whatever hostile bytes do to a decoder ends with it. What could be decoded counts, even if
 * the file breaks off.
 */
export async function* decodeAudio(given: Recording): AsyncGenerator<Float32Array> {
  const { path, container, ffmpeg, skip } = given
  const { size } = await stat(path).catch(() => {
    throw unavailable('The recording is not where it should be.')
  })
  const limits = {
    ...given.limits,
    maxSeconds: mostSeconds(size, given.limits),
    maxReadBytes: maxReadOf(size),
  }
  const recording = { ...given, limits }
  if (ffmpeg === null) yield* decodeByOurs(recording)
  else if (OURS_FIRST.has(container) || (skip > 0 && !SOUGHT.has(container)))
    yield* decodeByOursOr(ffmpeg, recording)
  else yield* decodeByFfmpeg(ffmpeg, recording)
}

/** Packets tell how long they are: what is not asked for is stepped over, and need not be decoded. */
function decodeByOurs(recording: FileRecording): AsyncGenerator<Float32Array> {
  return read(spawnOwnDecoder(recording), recording, recording.skip)
}

function decodeByFfmpeg(ffmpeg: string, recording: FileRecording): AsyncGenerator<Float32Array> {
  const { container, skip } = recording
  const sought = SOUGHT.has(container) ? Math.max(0, skip - PREROLL) : 0
  const child = spawnFfmpeg(ffmpeg, { ...recording, skip: sought })
  return withoutFirst(read(child, recording, sought), skip - sought)
}

/** What ours can't read, or never comes to the end of, ffmpeg may. */
async function* decodeByOursOr(ffmpeg: string, recording: FileRecording): AsyncGenerator<Float32Array> {
  let isRead = false
  try {
    for await (const piece of decodeByOurs(recording)) {
      isRead = true
      yield piece
    }
  } catch (error) {
    if (isRead || !isOfDecoder(error)) throw error
    yield* decodeByFfmpeg(ffmpeg, recording)
  }
}

const isOfDecoder = (error: unknown): boolean =>
  error instanceof SpeechFailure && error.code !== 'unavailable'

async function* read(
  child: DecoderProcess,
  { container, limits, signal, onStep }: FileRecording,
  from: number,
): AsyncGenerator<Float32Array> {
  const watch = watchProcess(child, limits, signal)
  let samples = from
  try {
    for await (const piece of watch.pieces()) {
      samples += piece.length
      onStep?.()
      if (samples > limits.maxSeconds * SAMPLE_RATE)
        throw unreadable(
          `it is longer than ${Math.round(limits.maxSeconds / 60)} minutes, which is the most for its size`,
        )
      yield piece
    }
    const end = await watch.end()
    if (isFromOutside(end)) throw interrupted('The decoder was ended by somebody else.')
    const { code, reason } = end
    if (code === EXIT_UNAVAILABLE) throw unavailable('The disk does not give the recording.')
    if (samples > from || code === 0) return
    if (code === EXIT_NEEDS_FFMPEG) throw new SpeechFailure('needs_ffmpeg', cannotRead(reason))
    throw unreadable(reason || `its bytes are no ${container} with audio`)
  } finally {
    watch.stop()
  }
}

const cannotRead = (reason: string): string => `The recording can't be read: ${reason}.`
const unreadable = (reason: string): SpeechFailure => new SpeechFailure('unreadable', cannotRead(reason))
const interrupted = (message: string): SpeechFailure => new SpeechFailure('interrupted', message)
const unavailable = (message: string): SpeechFailure => new SpeechFailure('unavailable', message)

/** How a decoder ended. */
interface End {
  code: number | null
  signal: NodeJS.Signals | null
  reason: string
}

/** Sent by a system that is short of memory, or by whoever stops the service: a decoder that its bytes crash dies of others. */
const OUTSIDE = new Set<NodeJS.Signals | null>(['SIGKILL', 'SIGTERM', 'SIGINT'])
/** Ffmpeg catches them, and ends so; its own limit of time looks the same. */
const FFMPEG_CAUGHT_SIGNAL = 255

/** What came before is not all there is: taken for the end, it would lose the rest of a recording. */
const isFromOutside = ({ code, signal }: End): boolean => OUTSIDE.has(signal) || code === FFMPEG_CAUGHT_SIGNAL

interface Watch {
  pieces(): AsyncGenerator<Float32Array>
  /** Rejects with why we ended it. */
  end(): Promise<End>
  stop(): void
}

function watchProcess(child: DecoderProcess, limits: FileLimits, signal: AbortSignal): Watch {
  let broken: Error | null = null
  const fail = (error: Error): void => {
    broken ??= error
    child.kill('SIGKILL')
  }
  const onAbort = (): void => fail(signal.reason as Error)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  child.stdin?.on('error', () => {})
  const checkMemory = async (): Promise<void> => {
    if ((await memoryOf(child.pid ?? 0)) > limits.maxMemoryMb)
      fail(unreadable(`decoding it takes more than ${limits.maxMemoryMb} MiB`))
  }
  const memory = setInterval(() => void checkMemory(), MEMORY_CHECK_MS)

  async function* pieces(): AsyncGenerator<Float32Array> {
    for await (const piece of floatsOf(child, () => [
      stallTimer(limits, fail),
      cpuTimer(child, limits, fail),
    ])) {
      if (broken) break
      yield piece
    }
    if (broken) throw broken
  }
  const ended = endOf(child)
  const end = async (): Promise<End> => {
    const how = await ended
    if (broken) throw broken
    if (how instanceof Error) throw unavailable(`The decoder could not be started (${how.message}).`)
    return how
  }
  const stop = (): void => {
    clearInterval(memory)
    signal.removeEventListener('abort', onAbort)
    child.kill('SIGKILL')
  }
  return { pieces, end, stop }
}

function stallTimer({ stallMs }: DecodeLimits, fail: (error: Error) => void): NodeJS.Timeout {
  let looks = 0
  return setInterval(() => {
    if (++looks === STALL_LOOKS) fail(interrupted(cannotRead(`no sound came for ${stallMs / 1000} s`)))
  }, stallMs / STALL_LOOKS)
}

/** CPU time does not depend on how busy the machine is: what used it up without a result would do so again. */
function cpuTimer(
  child: DecoderProcess,
  { stuckCpuMs, maxReadBytes }: FileLimits,
  fail: (error: Error) => void,
): NodeJS.Timeout {
  let base: ProcessUsage | null = null
  const check = async (): Promise<void> => {
    const usage = await usageOf(child.pid ?? 0)
    if (usage === null) return
    const isReading = base === null || usage.bytesRead > base.bytesRead
    if (base === null || (isReading && usage.bytesRead <= maxReadBytes)) base = usage
    else if (usage.cpuMs - base.cpuMs >= stuckCpuMs)
      fail(unreadable(`decoding it takes ${stuckCpuMs / 1000} s of CPU time without a sound`))
  }
  return setInterval(() => void check(), CPU_CHECK_MS)
}

/** With these it says why. */
const REFUSED = new Set<number | null>([EXIT_UNREADABLE, EXIT_NEEDS_FFMPEG])

/** An error: it never began. */
async function endOf(child: DecoderProcess): Promise<End | Error> {
  let reason = ''
  child.stderr?.on('data', (data: Buffer) => (reason = (reason + data).slice(0, 200)))
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
    return { code, signal, reason: REFUSED.has(code) ? reason : '' }
  } catch (error) {
    return error as Error
  }
}

/** The timers run only while we wait: a slow reader is not the decoder's fault. */
async function* floatsOf(
  child: DecoderProcess,
  startTimers: () => NodeJS.Timeout[],
): AsyncGenerator<Float32Array> {
  let rest = Buffer.alloc(0)
  const chunks = child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  while (true) {
    const timers = startTimers()
    const next = await chunks.next().finally(() => timers.forEach(clearInterval))
    if (next.done) return
    const bytes = Buffer.concat([rest, next.value])
    const whole = bytes.length - (bytes.length % 4)
    rest = bytes.subarray(whole)
    if (whole > 0) yield new Float32Array(new Uint8Array(bytes.subarray(0, whole)).buffer)
  }
}
