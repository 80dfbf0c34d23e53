import { setTimeout as pause } from 'node:timers/promises'
import { EngineFailure } from '../engine-failure.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import { classifyResponse, type Reply } from './classify-response.ts'
import { createHttpClient, type HttpOptions, type Payload } from './request.ts'
import { backoff, isWorthRetrying } from './retry.ts'

export interface ModelServerOptions extends Pick<HttpOptions, 'baseUrl' | 'key'> {
  maxResponseBytes?: number
  /** For one call with all its attempts and the waits between them. */
  deadlineMs?: number
  attempts?: number
  /** The longest time without a request to a server that fails repeatedly. */
  maxOpenMs?: number
  /** In [0, 1). */
  random?: () => number
  /** For dates of the server, and for the circuit breaker, which has a monotonic one by default. */
  clock?: { now(): number }
}

/** No response within the deadline, with all attempts. */
export class ModelTimeout extends EngineFailure {}

export type ModelServer = ReturnType<typeof createModelServer>

const DEFAULTS = {
  maxResponseBytes: 8 * 1024 * 1024,
  deadlineMs: 600_000,
  attempts: 3,
  random: Math.random,
  clock: { now: () => Date.now() },
}
/** Longer waits are left to the job queue, so that no worker is blocked. */
const MAX_WAIT_MS = 20_000

/** An OpenAI-compatible server. */
export function createModelServer(options: ModelServerOptions) {
  const { deadlineMs, attempts, random, clock, maxOpenMs, ...rest } = { ...DEFAULTS, ...options }
  const http = createHttpClient(rest)
  const breaker = createCircuitBreaker({
    ...(maxOpenMs !== undefined && { maxOpenMs }),
    ...(options.clock && { now: options.clock.now }),
  })

  /** Rejects with an `EngineFailure`, or with the signal's reason. */
  async function post(path: string, payload: Payload, signal: AbortSignal): Promise<Reply> {
    const deadline = AbortSignal.timeout(deadlineMs)
    const signalWithDeadline = AbortSignal.any([signal, deadline])
    try {
      return await withRetries(() => attempt(path, payload, signalWithDeadline, signal), signalWithDeadline)
    } catch (error) {
      signal.throwIfAborted()
      if (!deadline.aborted) throw error
      throw new ModelTimeout('unavailable', 'the model server did not respond in time')
    }
  }

  async function withRetries(
    send: () => Promise<Reply | EngineFailure>,
    signalWithDeadline: AbortSignal,
  ): Promise<Reply> {
    for (let number = 1; ; number++) {
      const outcome = await send()
      if (!(outcome instanceof EngineFailure)) return outcome
      const wait = Math.max(outcome.retryAfterMs ?? 0, backoff(number, random))
      if (number >= attempts || wait > MAX_WAIT_MS) throw outcome
      await pause(wait, undefined, { signal: signalWithDeadline })
    }
  }

  async function attempt(
    path: string,
    payload: Payload,
    signalWithDeadline: AbortSignal,
    signal: AbortSignal,
  ) {
    const waitMs = breaker.enter()
    if (waitMs > 0)
      throw new EngineFailure(
        'unavailable',
        'the model server failed repeatedly and is not called for now',
        waitMs,
      )
    try {
      const response = await http.post(path, payload, signalWithDeadline)
      // A server that rejects every request as too many gets fewer, like one that fails.
      if (isWorthRetrying(response.status, {})) breaker.failed()
      else breaker.succeeded()
      return classifyResponse(response, clock.now())
    } catch (error) {
      if (error instanceof EngineFailure || signal.aborted) breaker.cancelled()
      else breaker.failed()
      signalWithDeadline.throwIfAborted()
      if (error instanceof EngineFailure) throw error
      return connectionFailure(error)
    }
  }

  return { post, close: http.close }
}

/** Reports only the error's code: a message can contain an address or a key. */
function connectionFailure(error: unknown): EngineFailure {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'
  if (code === 'UND_ERR_INVALID_ARG')
    throw new EngineFailure('misconfigured', 'the model server’s address or key is malformed')
  return new EngineFailure('unavailable', `the model server could not be reached (${code})`)
}
