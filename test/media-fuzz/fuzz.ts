import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limitProcessCpu } from '../../media/cpu-limit.ts'
import { decodeAudio } from '../../media/decode/decode.ts'
import { DECODE_LIMITS } from '../../media/decode/limits.ts'
import { MediaFailure } from '../../media/failure.ts'
import { joinAudio } from '../../media/join/join-audio.ts'
import { memoryOf } from '../../media/process-usage.ts'
import { mutatedFile, sourceBytes } from './mutate.ts'
import type { FileResult } from './process-files.ts'

/** The same files each time, so that a failure can be repeated by its number. */
export const SEED = 'fixed'

export interface Finding {
  n: number
  what: string
}

export interface FuzzResult {
  files: number
  findings: Finding[]
  /** How many files ended in which way. */
  outcomes: Map<string, number>
  maxMemoryMb: number
}

const { stuckCpuMs, maxMemoryMb } = DECODE_LIMITS
const CHECK_MS = 200

/** Decodes and joins the mutated files `from` to `until`, many in one process. A process that hangs or crashes is replaced. */
export async function fuzzTogether(seed: string, from: number, until: number): Promise<FuzzResult> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'media-fuzz-'))
  const result: FuzzResult = { files: 0, findings: [], outcomes: new Map(), maxMemoryMb: 0 }
  for (let next = from; next < until; ) {
    const { done, failure } = await processFiles([folder.path, seed, String(next), String(until)], result)
    next += done
    if (failure === null) break
    result.findings.push({ n: next++, what: failure })
  }
  return result
}

async function processFiles(
  args: string[],
  result: FuzzResult,
): Promise<{ done: number; failure: string | null }> {
  const child = fork(join(import.meta.dirname, 'process-files.ts'), args, {
    // The same limit as in the decoder process.
    execArgv: [`--max-old-space-size=${Math.ceil(maxMemoryMb / 3)}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const pid = child.pid as number
  let done = 0
  let failure: string | null = null
  const end = (why: string): void => {
    failure = why
    child.kill('SIGKILL')
  }
  const onStuck = () => end(`takes more than ${stuckCpuMs / 1000} s of CPU time`)
  const cpu = limitProcessCpu(pid, () => done, onStuck, stuckCpuMs)
  const checkMemory = async (): Promise<void> => {
    const memoryMb = await memoryOf(pid)
    result.maxMemoryMb = Math.max(result.maxMemoryMb, memoryMb)
    if (memoryMb > maxMemoryMb) end(`takes more than ${maxMemoryMb} MiB`)
  }
  const memory = setInterval(() => void checkMemory(), CHECK_MS)
  child.on('message', ({ decodedSeconds, joined }: FileResult) => {
    done++
    result.files++
    const outcome = `${decodedSeconds === null ? 'rejected' : 'decoded'}, ${joined}`
    result.outcomes.set(outcome, (result.outcomes.get(outcome) ?? 0) + 1)
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  cpu.stop()
  clearInterval(memory)
  return { done, failure: failure ?? (code === 0 ? null : `ends the process (${signal ?? code})`) }
}

const { signal } = new AbortController()

/** A busy machine is not a finding: a file that hangs without using CPU time is ended by the test's own timeout. */
const stallMs = 600_000

/** Decodes and joins one mutated file as the service does: in a process and a thread, with all limits. */
export async function fuzzInWorkers(seed: string, n: number): Promise<Finding[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'media-fuzz-'))
  const { container, source, bytes } = mutatedFile(seed, n)
  const [damaged, intact] = [join(folder.path, 'damaged'), join(folder.path, 'intact')]
  await writeFile(damaged, bytes)
  await writeFile(intact, sourceBytes(source))
  const findings: Finding[] = []
  const limits = { ...DECODE_LIMITS, stallMs }
  try {
    for await (const _ of decodeAudio({ path: damaged, container, ffmpeg: null, limits, signal, skip: 0 }));
  } catch (error) {
    if (!isExpected(error)) findings.push({ n, what: `decoder: ${String(error)}` })
  }
  const parts = [damaged, intact].map((path) => ({ path, container, continuation: false }))
  const options = { failOnTransient: true, stallMs, ffmpeg: null }
  await joinAudio(parts, join(folder.path, 'target'), signal, options).catch((error: unknown) => {
    if (!(error instanceof MediaFailure)) findings.push({ n, what: `joiner: ${String(error)}` })
  })
  return findings
}

/** Other errors mean that a limit or another process ended the decoder. */
const isExpected = (error: unknown): boolean =>
  error instanceof MediaFailure &&
  (error.code === 'needs_ffmpeg' || (error.code === 'unreadable' && !/CPU time|MiB/.test(error.message)))
