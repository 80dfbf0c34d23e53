import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isTighter, type LimitStatus, type RateLimit } from '../../platform/limits/rate-limit.ts'
import { Problem } from './problems.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The limit that this request counts against and that is closest to being used up. */
    rateLimit: LimitStatus | null
  }
}

/** Sends `RateLimit-Limit`, `-Remaining` and `-Reset` on every response that counts against a limit, errors included. */
export function showRateLimits(app: FastifyInstance): void {
  app.decorateRequest('rateLimit', null)
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.headers(rateLimitHeaders(request))
    done(null, payload)
  })
}

export function rateLimitHeaders({ rateLimit }: Limited): Record<string, string> {
  if (rateLimit === null) return {}
  return {
    'ratelimit-limit': String(rateLimit.limit),
    'ratelimit-remaining': String(rateLimit.remaining),
    'ratelimit-reset': String(rateLimit.resetSeconds),
  }
}

type Limited = Pick<FastifyRequest, 'rateLimit'>

/** Takes tokens from a limit; throws `rate_limited` when there are not enough. */
export async function spend(
  request: Limited,
  limit: RateLimit | undefined,
  key: string,
  tokens = 1,
): Promise<void> {
  if (!limit) return
  const taken = limit.take(key, tokens)
  const wait = typeof taken === 'number' ? taken : await taken
  const status = limit.status?.(key)
  if (status && (!request.rateLimit || isTighter(status, request.rateLimit))) request.rateLimit = status
  if (wait > 0) throw rateLimited(wait)
}

const rateLimited = (seconds: number): Problem => new Problem('rate_limited', { retryAfterSeconds: seconds })
