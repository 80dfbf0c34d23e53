import { setTimeout as pause } from 'node:timers/promises'
import { EngineFailure } from '../engine-failure.ts'
import { createBreaker } from './circuit-breaker.ts'
import { judge, type Reply } from './classify-response.ts'
import { createExchange, type ExchangeOptions, type Payload } from './request.ts'
import { ownWait } from './retry.ts'

export interface ModelServerOptions extends Pick<ExchangeOptions, 'baseUrl' | 'key'> {
  maxAnswerBytes?: number
  /** Over everything that one call does: all attempts and the waits between them. */
  deadlineMs?: number
  attempts?: number
  /** In [0, 1). */
  random?: () => number
  clock?: { now(): number }
}

/** One OpenAI-compatible server, for all that is asked of it. */
export interface ModelServer {
  /** Rejects with an `EngineFailure`, or with the signal's reason. */
  post(path: string, payload: Payload, signal: AbortSignal): Promise<Reply>
  close(): Promise<void>
}

const DEFAULTS = {
  maxAnswerBytes: 8 * 1024 * 1024,
  deadlineMs: 600_000,
  attempts: 3,
  random: Math.random,
  clock: { now: () => Date.now() },
}
/** Who asks for more patience gets it from the queue of jobs, not from a worker that sits and waits. */
const LONGEST_WAIT_MS = 20_000

export function createModelServer(options: ModelServerOptions): ModelServer {
  const { deadlineMs, attempts, random, clock, ...rest } = { ...DEFAULTS, ...options }
  const exchange = createExchange(rest)
  const breaker = createBreaker(() => performance.now())

  async function post(path: string, payload: Payload, signal: AbortSignal): Promise<Reply> {
    const deadline = AbortSignal.timeout(deadlineMs)
    const until = AbortSignal.any([signal, deadline])
    try {
      return await insist(() => attempt(path, payload, until, signal), until)
    } catch (error) {
      signal.throwIfAborted()
      if (!deadline.aborted) throw error
      throw new EngineFailure('unavailable', 'the model server did not answer in time')
    }
  }

  async function insist(ask: () => Promise<Reply | EngineFailure>, until: AbortSignal): Promise<Reply> {
    for (let number = 1; ; number++) {
      const outcome = await ask()
      if (!(outcome instanceof EngineFailure)) return outcome
      const wait = Math.max(outcome.retryAfterMs ?? 0, ownWait(number, random))
      if (number >= attempts || wait > LONGEST_WAIT_MS) throw outcome
      await pause(wait, undefined, { signal: until })
    }
  }

  async function attempt(path: string, payload: Payload, until: AbortSignal, signal: AbortSignal) {
    const rest = breaker.enter()
    if (rest > 0) throw new EngineFailure('unavailable', 'the model server failed too often', rest)
    try {
      const answer = await exchange.post(path, payload, until)
      if (answer.status >= 500 || answer.status === 408) breaker.failed()
      else breaker.succeeded()
      return judge(answer, clock.now())
    } catch (error) {
      if (error instanceof EngineFailure || signal.aborted) breaker.gaveUp()
      else breaker.failed()
      until.throwIfAborted()
      if (error instanceof EngineFailure) throw error
      return noAnswer(error)
    }
  }

  return { post, close: exchange.close }
}

/** By its code alone: a message can hold an address, or a header that is not allowed in one. */
function noAnswer(error: unknown): EngineFailure {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'
  if (code === 'UND_ERR_INVALID_ARG')
    throw new EngineFailure('misconfigured', 'the model server’s address or key is malformed')
  return new EngineFailure('unavailable', `the model server could not be reached (${code})`)
}
