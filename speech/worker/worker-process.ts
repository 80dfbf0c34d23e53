import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { Transcription } from '../../server/transcription/transcriber.ts'
import { SpeechFailure } from '../failure.ts'
import type { Job } from '../transcribe.ts'
import type { Answer, Order, WorkerSettings } from './protocol.ts'

/** Loading the models is the longest step: seconds, even on a slow disk. */
const STALL_MS = 120_000
/** A worker looks at the signal between windows, every second or two. */
const ABORT_LIMIT_MS = 10_000

const unavailable = (message: string): SpeechFailure => new SpeechFailure('unavailable', message)

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
  async run(job: Job, signal: AbortSignal): Promise<Transcription> {
    if (signal.aborted) throw calledOff()
    const child = this.child ?? this.start()
    let impatience: NodeJS.Timeout | undefined
    const onAbort = (): void => {
      order(child, { type: 'abort' })
      impatience = setTimeout(() => child.kill('SIGKILL'), ABORT_LIMIT_MS)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await answerOf(child, job)
    } catch (error) {
      throw signal.aborted ? calledOff() : error
    } finally {
      clearTimeout(impatience)
      signal.removeEventListener('abort', onAbort)
    }
  }

  private start(): ChildProcess {
    const child = fork(join(import.meta.dirname, 'main.ts'), [JSON.stringify(this.settings)], {
      env: { PATH: process.env['PATH'], TZ: 'UTC' },
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

const ended = (): SpeechFailure => unavailable('The embedded engine ended in the middle of its work.')

/** Retried a few times only, unlike an engine that is away: the recording may be why. */
const stalled = (): SpeechFailure =>
  new SpeechFailure('interrupted', `The embedded engine made no progress for ${STALL_MS / 1000} s.`)

export const calledOff = (): SpeechFailure => unavailable('The transcription was called off.')

function order(child: ChildProcess, message: Order): void {
  if (child.connected) child.send(message)
}

function answerOf(child: ChildProcess, job: Job): Promise<Transcription> {
  return new Promise((resolve, reject) => {
    let isStalled = false
    const stall = setTimeout(() => {
      isStalled = true
      child.kill('SIGKILL')
    }, STALL_MS)
    const settle = (act: () => void): void => {
      clearTimeout(stall)
      child.off('message', onMessage)
      child.off('exit', onEnd)
      child.off('error', onEnd)
      act()
    }
    const onMessage = (answer: Answer): void => {
      if (answer.type === 'step') stall.refresh()
      else if (answer.type === 'done') settle(() => resolve(answer.transcription))
      else settle(() => reject(new SpeechFailure(answer.code, answer.message)))
    }
    const onEnd = (): void => settle(() => reject(isStalled ? stalled() : ended()))
    child.on('message', onMessage)
    child.once('exit', onEnd)
    child.once('error', onEnd)
    order(child, { type: 'transcribe', job })
  })
}
