import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CONTAINERS } from '../containers/container.ts'
import { limitProcessCpu } from '../cpu-limit.ts'
import { DECODER_ENVIRONMENT } from '../decode/decoder-process.ts'
import { MediaFailure } from '../failure.ts'
import { bytesOf, isDiskError } from './file-spans.ts'
import type { SourceFile } from './source-file.ts'

/** The limit for one file. Two hours of speech take about one minute on one core. */
const TIME_LIMIT_MS = 15 * 60_000

/** ffmpeg's exit code after a signal. */
const CAUGHT_SIGNAL = 255

export interface TranscodeOptions {
  /** The program; null: it is not installed. */
  ffmpeg: string | null
  /** CPU time without output, after which a file is skipped. */
  cpuMs: number
  /** Whether to reject on errors that can pass. Otherwise the affected file is skipped. */
  failOnTransient: boolean
  /** The prefix of the file names. */
  prefix?: string
}

/** Converts files to Opus in WebM, in `folder`. Files that cannot be decoded are skipped. */
export async function transcode(
  files: SourceFile[],
  folder: string,
  signal: AbortSignal,
  options: TranscodeOptions,
): Promise<SourceFile[]> {
  const { ffmpeg, cpuMs } = options
  if (ffmpeg === null) throw needsFfmpeg()
  const transcoded: SourceFile[] = []
  for (const [index, file] of files.entries()) {
    const path = join(folder, `${options.prefix ?? ''}${index}.webm`)
    const { exitCode, transientError } = await run(file, path, signal, { ffmpeg, cpuMs })
    if (options.failOnTransient && transientError) throw transientError
    if (exitCode === 0) transcoded.push({ ...file, container: 'webm', spans: [{ path, start: 0 }] })
  }
  return transcoded
}

interface Exit {
  exitCode: number | null
  /** An error that is probably not caused by the file. */
  transientError: Error | null
}

async function run(
  file: SourceFile,
  target: string,
  signal: AbortSignal,
  { ffmpeg, cpuMs }: { ffmpeg: string; cpuMs: number },
): Promise<Exit> {
  // spawn's own `timeout` keeps its timer, and with it the process, when the program does not exist.
  const timeUp = AbortSignal.timeout(TIME_LIMIT_MS)
  const stuck = new AbortController()
  const child = spawn(ffmpeg, argumentsFor(file, target), {
    stdio: [isInParts(file) ? 'pipe' : 'ignore', 'ignore', 'ignore'],
    env: DECODER_ENVIRONMENT,
    signal: AbortSignal.any([signal, timeUp, stuck.signal]),
    killSignal: 'SIGKILL',
  })
  const written = () =>
    stat(target).then(
      ({ size }) => size,
      () => 0,
    )
  const cpu = limitProcessCpu(child.pid, written, () => stuck.abort(), cpuMs)
  try {
    const [[exitCode, killedBy], unread] = await Promise.all([
      once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
      pump(child, file),
    ])
    const isKilled = killedBy !== null || exitCode === CAUGHT_SIGNAL
    return { exitCode, transientError: isKilled ? new Error('ffmpeg was killed') : unread }
  } catch (error) {
    signal.throwIfAborted()
    // A retry would end the same way.
    if (timeUp.aborted || stuck.signal.aborted) return { exitCode: null, transientError: null }
    throw isMissingProgram(error) ? needsFfmpeg(error) : error
  } finally {
    cpu.stop()
  }
}

const needsFfmpeg = (cause?: unknown): MediaFailure =>
  new MediaFailure(
    'needs_ffmpeg',
    'The parts cannot be copied into one file, and ffmpeg is not installed to convert them.',
    { cause },
  )

/** Other reasons why a program does not start, such as too many processes, are transient. */
const isMissingProgram = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EACCES')

function argumentsFor(file: SourceFile, target: string): string[] {
  const [only] = file.spans
  const source = isInParts(file) || !only || 'bytes' in only ? 'pipe:0' : `file:${only.path}`
  const demuxer = CONTAINERS[file.container].ffmpegDemuxer
  const reading = ['-protocol_whitelist', 'file,pipe', '-f', demuxer, '-i', source]
  const encoding = ['-map', '0:a:0', '-map_metadata', '-1', '-c:a', 'libopus', '-b:a', '64k', '-ac', '2']
  return ['-nostdin', '-v', 'quiet', '-y', ...reading, ...encoding, '-f', 'webm', `file:${target}`]
}

/** Some MP4 files need seeking, which only works in one file. Files that were sent in parts can be read as a stream. */
const isInParts = ({ spans }: SourceFile): boolean => spans.length > 1

/** Resolves with a disk error that kept us from reading the file. ffmpeg can stop reading early; its exit code says whether it failed. */
async function pump({ stdin }: ChildProcess, file: SourceFile): Promise<Error | null> {
  if (!stdin) return null
  return await pipeline(Readable.from(bytesOf(file)), stdin).then(
    () => null,
    (error: Error) => (isDiskError(error) ? error : null),
  )
}
