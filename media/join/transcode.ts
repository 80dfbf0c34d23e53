import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Container } from '../containers/container.ts'
import { type CpuLimit, cpuMsOfProcess, limitCpu } from '../cpu-limit.ts'
import { JoinFailure } from './join-failure.ts'
import { bytesOf, isOfDisk } from './read-source-file.ts'
import type { Piece } from './source-file.ts'

/** For one piece; two hours of speech take about one minute on one core. */
const TIME_LIMIT_MS = 15 * 60_000

/** With it ffmpeg ends when it is told to. */
const CAUGHT_SIGNAL = 255

/** The names of ffmpeg's demuxers. Being told which, it does not guess: its playlists and scripts would open other files. */
const demuxers: Record<Container, string> = {
  webm: 'matroska',
  ogg: 'ogg',
  mp4: 'mov',
  wav: 'wav',
  mp3: 'mp3',
  flac: 'flac',
  aac: 'aac',
}

interface TranscodeOptions {
  ffmpeg: string
  /** CPU time without output, after which a piece is left out. */
  cpuMs: number
  /** Trouble that may pass rejects; else the piece that met it is left out. */
  isPatient: boolean
}

/** The pieces as Opus in WebM, in `folder`; those that can't be decoded are left out. */
export async function transcode(
  pieces: Piece[],
  folder: string,
  signal: AbortSignal,
  { ffmpeg, cpuMs, isPatient }: TranscodeOptions,
): Promise<Piece[]> {
  const transcoded: Piece[] = []
  for (const [index, piece] of pieces.entries()) {
    const path = join(folder, `${index}.webm`)
    const { exitCode, trouble } = await run({ ffmpeg, cpuMs }, piece, path, signal)
    if (isPatient && trouble) throw trouble
    if (exitCode === 0)
      transcoded.push({ container: 'webm', spans: [{ path, start: 0 }], parts: piece.parts })
  }
  return transcoded
}

interface Ending {
  exitCode: number | null
  /** Which is no fault of the piece's, as far as one can tell. */
  trouble: Error | null
}

async function run(
  { ffmpeg, cpuMs }: Pick<TranscodeOptions, 'ffmpeg' | 'cpuMs'>,
  piece: Piece,
  target: string,
  signal: AbortSignal,
): Promise<Ending> {
  // Its own `timeout` keeps a timer, and with it the process, when there is no such program.
  const timeUp = AbortSignal.timeout(TIME_LIMIT_MS)
  const stuck = new AbortController()
  const child = spawn(ffmpeg, argumentsFor(piece, target), {
    stdio: [isSplit(piece) ? 'pipe' : 'ignore', 'ignore', 'ignore'],
    // Nothing of ours is its business, secrets least; a system's ffmpeg lies here.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin' },
    signal: AbortSignal.any([signal, timeUp, stuck.signal]),
    killSignal: 'SIGKILL',
  })
  const cpu = limitCpuOf(child, target, cpuMs, () => stuck.abort())
  try {
    const [[exitCode, killedBy], unread] = await Promise.all([
      once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
      feed(child, piece),
    ])
    const isKilled = killedBy !== null || exitCode === CAUGHT_SIGNAL
    return { exitCode, trouble: isKilled ? new Error('ffmpeg was killed') : unread }
  } catch (error) {
    signal.throwIfAborted()
    // Another try would end the same way.
    if (timeUp.aborted || stuck.signal.aborted) return { exitCode: null, trouble: null }
    if (!isNoProgram(error)) throw error
    throw new JoinFailure('mixed', 'the parts are not alike, and there is no ffmpeg to make them so', {
      cause: error,
    })
  } finally {
    cpu.stop()
  }
}

/** Its progress is what it writes. */
function limitCpuOf({ pid }: ChildProcess, target: string, cpuMs: number, onStuck: () => void): CpuLimit {
  let written = 0
  const usedMs = async (): Promise<number | null> => {
    const { size } = await stat(target).catch(() => ({ size: 0 }))
    if (size > written) limit.progress()
    written = size
    return pid === undefined ? null : cpuMsOfProcess(pid)
  }
  const limit = limitCpu(usedMs, onStuck, cpuMs)
  return limit
}

/** Any other reason not to start it, such as too many processes, passes. */
const isNoProgram = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EACCES')

function argumentsFor(piece: Piece, target: string): string[] {
  const source = isSplit(piece) ? 'pipe:0' : `file:${piece.spans[0]?.path}`
  const reading = ['-protocol_whitelist', 'file,pipe', '-f', demuxers[piece.container], '-i', source]
  const encoding = ['-map', '0:a:0', '-map_metadata', '-1', '-c:a', 'libopus', '-b:a', '64k', '-ac', '2']
  return ['-nostdin', '-v', 'quiet', '-y', ...reading, ...encoding, '-f', 'webm', `file:${target}`]
}

/** Only what is in one file can be sought in, which some MP4 needs; what comes in slices was made to be read in a row. */
function isSplit(piece: Piece): boolean {
  return piece.spans.length > 1
}

/** What kept us from reading the piece. Ffmpeg may stop reading before the end; how it exits says whether that was a failure. */
async function feed({ stdin }: ChildProcess, piece: Piece): Promise<Error | null> {
  if (!stdin) return null
  return await pipeline(Readable.from(bytesOf(piece)), stdin).then(
    () => null,
    (error: Error) => (isOfDisk(error) ? error : null),
  )
}
