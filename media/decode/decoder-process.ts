import type { ChildProcessByStdio } from 'node:child_process'
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Container } from '../../server/transcription/transcriber.ts'
import { type DecodeLimits, SAMPLE_RATE } from './limits.ts'

export type DecoderProcess = ChildProcessByStdio<Writable | null, Readable, Readable | null>

interface Source {
  path: string
  container: Container
  limits: DecodeLimits
  /** Samples that are left out at the beginning. */
  skip: number
}

/** The decoder looked at the bytes and refused them; its reason is on stderr. */
export const EXIT_UNREADABLE = 65
/** The bytes are fine, as far as it can tell, but of a codec that it does not have. */
export const EXIT_NEEDS_FFMPEG = 69
/** The disk did not give it the bytes. */
export const EXIT_UNAVAILABLE = 75

/** What the user's bytes see of our environment: no key and no secret. */
const ENVIRONMENT = { PATH: process.env['PATH'], TZ: 'UTC' }

const DEMUXERS: Record<Container, string> = {
  webm: 'matroska',
  ogg: 'ogg',
  mp4: 'mov',
  wav: 'wav',
  mp3: 'mp3',
  flac: 'flac',
  aac: 'aac',
}

/** The demuxer is given, never guessed, and no protocol but local files: a playlist could otherwise make ffmpeg fetch addresses. */
export function spawnFfmpeg(program: string, { container, path, limits, skip }: Source): DecoderProcess {
  const quiet = ['-nostdin', '-hide_banner', '-v', 'quiet', '-threads', '1']
  const cpuSeconds = Math.ceil(60 + limits.maxSeconds / 20)
  const caps = ['-timelimit', `${cpuSeconds}`, '-max_alloc', `${limits.maxMemoryMb * 2 ** 20}`]
  const seek = skip > 0 ? ['-ss', String(skip / SAMPLE_RATE)] : []
  const input = ['-protocol_whitelist', 'file,pipe', '-f', DEMUXERS[container], ...seek, '-i', `file:${path}`]
  // One second past the limit, so that whoever reads sees it broken.
  const output = [
    '-map',
    '0:a:0',
    '-t',
    `${limits.maxSeconds + 1}`,
    '-ac',
    '1',
    '-ar',
    '16000',
    '-f',
    'f32le',
    'pipe:1',
  ]
  return spawn(program, [...quiet, ...caps, ...input, ...output], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: ENVIRONMENT,
  })
}

/** May read its own code and the recording, and nothing else: no writing, no processes, no native code. */
export function spawnOwnDecoder({ container, path, limits, skip }: Source): DecoderProcess {
  const readable = [...codeFolders(), path].map((folder) => `--allow-fs-read=${folder}`)
  const flags = ['--permission', ...readable, `--max-old-space-size=${Math.ceil(limits.maxMemoryMb / 3)}`]
  const main = join(import.meta.dirname, 'decoder-main.ts')
  const given = [container, path, String(skip)]
  return spawn(process.execPath, [...flags, '--disable-warning=SecurityWarning', main, ...given], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: ENVIRONMENT,
  })
}

/** This package, and the folder of packages that mediabunny was found in. */
function codeFolders(): string[] {
  const entry = fileURLToPath(import.meta.resolve('mediabunny'))
  const packages = entry.slice(
    0,
    entry.lastIndexOf(join('node_modules', 'mediabunny')) + 'node_modules'.length,
  )
  return [dirname(import.meta.dirname), packages]
}

/** What a process has used since its start. */
export interface ProcessUsage {
  cpuMs: number
  /** By system calls, from files and pipes; 0 where the system does not say. */
  bytesRead: number
}

/** Linux counts in hundredths of a second, whatever the kernel's own tick is. */
const TICK_MS = 10

/** Null where there is no /proc (outside Linux), or the process has ended. */
export async function usageOf(pid: number): Promise<ProcessUsage | null> {
  const [stat, io] = await Promise.all(
    ['stat', 'io'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
  )
  // The program's name, in brackets, may hold spaces.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
  if (fields.length < 13) return null
  const bytesRead = Number(/^rchar: (\d+)/m.exec(io ?? '')?.[1] ?? 0)
  return { cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS, bytesRead }
}

/** In MiB; 0 where the system does not tell (only Linux has /proc: elsewhere the heap's limit alone holds). */
export async function memoryOf(pid: number): Promise<number> {
  const pages = (await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')).split(' ')[1]
  return (Number(pages ?? 0) * 4096) / 2 ** 20
}
