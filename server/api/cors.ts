import type { FastifyInstance } from 'fastify'

const EXPOSED_HEADERS = [
  'accept-ranges, content-disposition, content-range, etag, location, retry-after, x-request-id',
  'ratelimit-limit, ratelimit-remaining, ratelimit-reset',
].join(', ')
const ALLOWED_HEADERS = [
  'authorization, content-digest, content-type, idempotency-key, if-match, if-none-match, if-range, last-event-id',
  'range, x-participant-token, x-request-id',
].join(', ')

/** Headers of one area that pages of other origins can read and send. */
export interface CorsHeaders {
  exposed: string
  allowed: string
  /** Headers of every response to OPTIONS. */
  options: Record<string, string>
}

/**
 * Pages of the allowed origins can read responses and send the cookie. Origins are compared exactly: a pattern, or an echo of
 * `Origin`, would allow attackers who can choose a host name. Every response has `Vary: Origin` already.
 */
export function allowOrigins(app: FastifyInstance, origins: ReadonlySet<string>, area: CorsHeaders): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    if (origin !== undefined && origins.has(origin)) {
      reply
        .header('access-control-allow-origin', origin)
        .header('access-control-allow-credentials', 'true')
        .header('access-control-expose-headers', `${EXPOSED_HEADERS}, ${area.exposed}`)
    }
    done()
  })
  // The same response to every preflight request, so that it does not reveal which paths exist.
  app.options('*', {
    config: { access: { kind: 'public' } },
    schema: { hide: true },
    handler: (_request, reply) =>
      reply
        .code(204)
        .headers({
          'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
          'access-control-allow-headers': `${ALLOWED_HEADERS}, ${area.allowed}`,
          'access-control-max-age': '600',
          ...area.options,
        })
        .send(),
  })
}
