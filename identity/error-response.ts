import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseUnavailable } from '../database/database.ts'
import type { Logger } from '../platform/log.ts'
import { invalidPayload, StoreError, unavailable, unexpected } from './errors.ts'

export const MAX_BODY_KIB = 64
const DATABASE_UNAVAILABLE_RETRY_SECONDS = 2

export function sendError(log: Logger, thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = toStoreError(thrown)
  const fields = { request_id: request.id, code: error.code, ...(thrown !== error && { err: thrown }) }
  // A 503 is expected: the database is unreachable, or the store has too much to do.
  if (error.status === 503) log.warn(fields, 'Request failed; the client should retry')
  else if (error.status >= 500) log.error(fields, 'Request failed')
  if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter)
  reply.status(error.status).send({
    errors: [{ message: error.message, extensions: { ...error.details, code: error.code } }],
  })
}

function toStoreError(thrown: unknown): StoreError {
  if (thrown instanceof StoreError) return thrown
  if (isBodyError(thrown))
    return invalidPayload(`The body must be a JSON object of at most ${MAX_BODY_KIB} KiB`)
  if (isDatabaseUnavailable(thrown)) return unavailable(DATABASE_UNAVAILABLE_RETRY_SECONDS)
  return unexpected()
}

/** Errors of fastify for a bad body (invalid JSON, wrong media type, too large) give one response, as in Directus. */
function isBodyError(thrown: unknown): boolean {
  const status = thrown instanceof Error ? (thrown as FastifyError).statusCode : undefined
  return status !== undefined && status >= 400 && status < 500
}
