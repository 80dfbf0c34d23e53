import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { contentDigest } from './response.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a GET sends an ETag and can return 304; by default as the operation declares. */
    conditional?: boolean
  }
}

/**
 * Conditional GET and HEAD (RFC 9110): a result without an ETag gets one from its bytes, and a request that names it in
 * If-None-Match gets 304 without a body. Results that are sent as a stream have an ETag only where their route sets one.
 */
export function handleConditionalRequests(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isConditional(request) || ![200, 206].includes(reply.statusCode)) return done(null, payload)
    if (!reply.hasHeader('etag') && (typeof payload === 'string' || Buffer.isBuffer(payload)))
      reply.header('etag', `"${contentDigest(payload)}"`)
    if (!matches(request.headers['if-none-match'], reply.getHeader('etag'))) return done(null, payload)
    if (payload instanceof Readable) payload.destroy()
    notModified(reply)
    // Fastify's own hook for HEAD runs after this one and does not accept null.
    done(null, request.method === 'HEAD' ? Readable.from([]) : null)
  })
}

function isConditional({ method, routeOptions }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const { conditional, operation } = routeOptions.config
  return conditional ?? (operation !== undefined && 304 in operation.responses)
}

/** Weak comparison: ignores `W/`. */
function matches(ifNoneMatch: string | undefined, etag: unknown): boolean {
  if (ifNoneMatch === undefined || typeof etag !== 'string') return false
  if (ifNoneMatch.trim() === '*') return true
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').map(opaque).includes(opaque(etag))
}

function notModified(reply: FastifyReply): void {
  reply.code(304)
  for (const name of ['content-type', 'content-length', 'content-range', 'content-disposition'])
    reply.removeHeader(name)
}
