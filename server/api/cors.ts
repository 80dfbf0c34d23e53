import type { FastifyInstance } from 'fastify'

const EXPOSED = [
  'accept-ranges, content-disposition, content-range, etag, location, retry-after, x-conversation-id, x-request-id',
  'ratelimit-limit, ratelimit-remaining, ratelimit-reset',
  'tus-extension, tus-max-size, tus-resumable, tus-version',
  'upload-defer-length, upload-expires, upload-length, upload-metadata, upload-offset',
].join(', ')
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': [
    'authorization, content-digest, content-type, idempotency-key, if-match, if-none-match, if-range, last-event-id',
    'range, x-participant-token, x-recorded-at, x-request-id',
    'tus-resumable, upload-defer-length, upload-length, upload-metadata, upload-offset',
  ].join(', '),
  'access-control-max-age': '600',
}

/**
 * Pages of the allowed origins may read answers and send the cookie; to all others nothing is said. Exact names only: a
 * pattern or an echo of `Origin` would let in whoever can choose a name. `Vary: Origin` stands on every answer already.
 * `offer` is what every OPTIONS request is told beside that.
 */
export function allowOrigins(
  app: FastifyInstance,
  origins: ReadonlySet<string>,
  offer: Record<string, string>,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    if (origin !== undefined && origins.has(origin)) {
      reply
        .header('access-control-allow-origin', origin)
        .header('access-control-allow-credentials', 'true')
        .header('access-control-expose-headers', EXPOSED)
    }
    done()
  })
  // Browsers ask before they send; what they may send is the same everywhere, so that the answer tells nothing of a path.
  app.options('*', {
    config: { access: { kind: 'public' } },
    schema: { hide: true },
    handler: (_request, reply) =>
      reply
        .code(204)
        .headers({ ...PREFLIGHT, ...offer })
        .send(),
  })
}
