import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { DecodeLimits } from '../../media/decode/limits.ts'
import { startIdleTimeout } from '../../platform/idle-timeout.ts'
import { compileCacheVariable } from '../../platform/programs/compile-cache.ts'
import { SpeechFailure } from '../failure.ts'
import type { WhisperSize } from '../models/weights.ts'
import type { Job, ResumeJob } from '../transcribe.ts'
import type { Transcription, TranscriptionFailureCode } from '../types.ts'

/** Passed to a worker at its start, as JSON in its first argument. */
export interface WorkerSettings {
  threads: number
  /** Absent: ffmpeg from the PATH, which can be installed while the worker runs. */
  ffmpeg?: string | null | undefined
  limits: DecodeLimits
  /** The size of the Whisper model. */
  size: WhisperSize
  english: 'moonshine' | 'whisper'
}

/** To the worker, which does one job at a time. */
export type WorkerRequest = WorkRequest | { type: 'abort' }
export type WorkRequest = { type: 'transcribe'; job: Job } | { type: 'resume'; job: ResumeJob }

/** From the worker: any number of steps, then one of the others. */
export type WorkerResponse =
  | { type: 'step' }
  /** Null if the worker does not remember the conversation. */
  | { type: 'done'; transcription: Transcription | null }
  | { type: 'failed'; code: TranscriptionFailureCode; message: string }

/** Loading the models is the longest step: seconds, even on a slow disk. */
const STALL_MS = 120_000
/** A worker checks the signal between windows, every second or two. */
const ABORT_LIMIT_MS = 10_000

/** One worker with its models. It is started with its first job, and again after it died. */
export class WorkerProcess {
  private child: ChildProcess | null = null
  private readonly settings: WorkerSettings

  constructor(settings: WorkerSettings) {
    this.settings = settings
  }

  get pid(): number | null {
    return this.child?.pid ?? null
  }

  /** One job at a time. Resolves or rejects when the worker is free again, or dead. */
  async run(request: WorkRequest, signal: AbortSignal): Promise<Transcription | null> {
    if (signal.aborted) throw aborted()
    const child = this.child ?? this.start()
    let killTimer: NodeJS.Timeout | undefined
    const onAbort = (): void => {
      send(child, { type: 'abort' })
      killTimer = setTimeout(() => child.kill('SIGKILL'), ABORT_LIMIT_MS)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await resultOf(child, request)
    } catch (error) {
      throw signal.aborted ? aborted() : error
    } finally {
      clearTimeout(killTimer)
      signal.removeEventListener('abort', onAbort)
    }
  }

  private start(): ChildProcess {
    const child = fork(join(import.meta.dirname, 'main.ts'), [JSON.stringify(this.settings)], {
      env: { PATH: process.env['PATH'], TZ: 'UTC', ORT_DISABLE_TELEMETRY: '1', ...compileCacheVariable() },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const forget = (): void => {
      if (this.child === child) this.child = null
    }
    child.once('exit', forget)
    child.once('error', forget)
    this.child = child
    return child
  }

  async close(): Promise<void> {
    const { child } = this
    if (!child) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }
}

const unavailable = (message: string): SpeechFailure => new SpeechFailure('unavailable', message)
const died = (): SpeechFailure => unavailable('The embedded engine ended before the transcription was done.')
export const aborted = (): SpeechFailure => unavailable('The transcription was cancelled.')

/** `interrupted` is retried only a few times, unlike `unavailable`: the recording can be the cause. */
const stalled = (): SpeechFailure =>
  new SpeechFailure('interrupted', `The embedded engine made no progress for ${STALL_MS / 1000} s.`)

function send(child: ChildProcess, message: WorkerRequest): void {
  if (child.connected) child.send(message)
}

async function resultOf(child: ChildProcess, request: WorkRequest): Promise<Transcription | null> {
  const { promise, resolve, reject } = Promise.withResolvers<Transcription | null>()
  let failure = died
  const idle = startIdleTimeout(STALL_MS, () => {
    failure = stalled
    child.kill('SIGKILL')
  })
  const onMessage = (response: WorkerResponse): void => {
    if (response.type === 'step') idle.reset()
    else if (response.type === 'done') resolve(response.transcription)
    else reject(new SpeechFailure(response.code, response.message))
  }
  const onEnd = (): void => reject(failure())
  child.on('message', onMessage).once('exit', onEnd).once('error', onEnd)
  send(child, request)
  try {
    return await promise
  } finally {
    idle.stop()
    child.off('message', onMessage).off('exit', onEnd).off('error', onEnd)
  }
}
