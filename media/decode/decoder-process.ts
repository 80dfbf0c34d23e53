import type { ChildProcessByStdio } from 'node:child_process'
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { bundleFolderOf, isBundleCurrent } from '../../platform/programs/bundle.ts'
import { CONTAINERS, type Container } from '../containers/container.ts'
import { type DecodeLimits, SAMPLE_RATE } from './limits.ts'

export type DecoderProcess = ChildProcessByStdio<Writable | null, Readable, Readable | null>

interface Source {
  path: string
  container: Container
  limits: DecodeLimits
  /** How many samples to leave out at the beginning. */
  skip: number
}

/** The environment of decoders and converters holds no key and no secret. */
export const DECODER_ENVIRONMENT = { PATH: process.env['PATH'], TZ: 'UTC' }

/** Allows local files only: a playlist could otherwise make ffmpeg fetch addresses. */
export function spawnFfmpeg(program: string, { container, path, limits, skip }: Source): DecoderProcess {
  const quiet = ['-nostdin', '-hide_banner', '-v', 'quiet', '-threads', '1']
  const cpuSeconds = Math.ceil(60 + limits.maxSeconds / 20)
  const caps = ['-timelimit', `${cpuSeconds}`, '-max_alloc', `${limits.maxMemoryMb * 2 ** 20}`]
  const seek = skip > 0 ? ['-ss', String(skip / SAMPLE_RATE)] : []
  const demuxer = ['-protocol_whitelist', 'file,pipe', '-f', CONTAINERS[container].ffmpegDemuxer]
  const input = [...demuxer, ...seek, '-i', `file:${path}`, '-map', '0:a:0']
  // One second past the limit, so that the reader notices that it is exceeded.
  const output = ['-t', `${limits.maxSeconds + 1}`, '-ac', '1', '-ar', '16000', '-f', 'f32le', 'pipe:1']
  return spawn(program, [...quiet, ...caps, ...input, ...output], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: DECODER_ENVIRONMENT,
  })
}

export const spawnOwnDecoder = (
  { container, path, limits, skip }: Source,
  code = locateCode(),
): DecoderProcess => spawnSandboxed(code, 'decoder-main', [container, path, String(skip)], [path], limits)

/** Gets recordings through stdin, and can read no file but its own code. */
export const spawnKeptDecoder = (limits: DecodeLimits): DecoderProcess =>
  spawnSandboxed(locateCode(), 'kept-decoder-main', [], [], limits)

/** The process can read its own code and the given files, and nothing else: no writing, no child processes, no native code. */
function spawnSandboxed(
  code: DecoderCode,
  program: string,
  given: string[],
  files: string[],
  { maxMemoryMb }: DecodeLimits,
): DecoderProcess {
  const readable = [...code.folders, ...files].map((folder) => `--allow-fs-read=${folder}`)
  const flags = ['--permission', ...readable, `--max-old-space-size=${Math.ceil(maxMemoryMb / 3)}`]
  return spawn(
    process.execPath,
    [...flags, '--disable-warning=SecurityWarning', code.pathOf(program), ...given],
    { stdio: ['pipe', 'pipe', 'pipe'], env: DECODER_ENVIRONMENT },
  )
}

interface DecoderCode {
  pathOf(program: string): string
  /** The decoder reads these when it starts. */
  folders: string[]
}

const BUNDLE_FOLDER = bundleFolderOf(dirname(import.meta.dirname))

export const BUNDLE: DecoderCode = {
  pathOf: (program) => join(BUNDLE_FOLDER, `${program}.mjs`),
  folders: [BUNDLE_FOLDER],
}

let located: DecoderCode | null = null

function locateCode(): DecoderCode {
  located ??= isBundleCurrent(BUNDLE_FOLDER) ? BUNDLE : locateSources()
  return located
}

/** This package, and the node_modules folder that holds mediabunny. */
export function locateSources(): DecoderCode {
  const entry = fileURLToPath(import.meta.resolve('mediabunny'))
  const packages = entry.slice(
    0,
    entry.lastIndexOf(join('node_modules', 'mediabunny')) + 'node_modules'.length,
  )
  return {
    pathOf: (program) => join(import.meta.dirname, `${program}.ts`),
    folders: [dirname(import.meta.dirname), packages],
  }
}
