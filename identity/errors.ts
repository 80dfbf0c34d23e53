/** An error response. Codes, statuses and messages are those of Directus. */
export class StoreError extends Error {
  readonly status: number
  readonly code: string
  readonly details: Record<string, unknown>
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    code: string,
    message: string,
    more: { details?: Record<string, unknown>; retryAfter?: number } = {},
  ) {
    super(message)
    this.name = 'StoreError'
    this.status = status
    this.code = code
    this.details = more.details ?? {}
    this.retryAfter = more.retryAfter
  }
}

/** The same for every cause, so that it does not reveal which e-mail addresses exist, are locked or are suspended. */
export const invalidCredentials = () =>
  new StoreError(401, 'INVALID_CREDENTIALS', 'Invalid user credentials.')
export const invalidOtp = () => new StoreError(401, 'INVALID_OTP', 'Invalid user OTP.')
export const tokenExpired = () => new StoreError(401, 'TOKEN_EXPIRED', 'Token expired.')
/** 403, not 401: a token with our issuer and a wrong signature is forged. */
export const invalidToken = () => new StoreError(403, 'INVALID_TOKEN', 'Invalid token.')
/** Returned for unknown ids too, so that it does not reveal which ids exist. */
export const forbidden = () => new StoreError(403, 'FORBIDDEN', "You don't have permission to access this.")
export const routeNotFound = () => new StoreError(404, 'ROUTE_NOT_FOUND', "Route doesn't exist.")

export const invalidPayload = (reason: string) =>
  new StoreError(400, 'INVALID_PAYLOAD', `Invalid payload. ${reason}.`, { details: { reason } })
export const invalidQuery = (reason: string) =>
  new StoreError(400, 'INVALID_QUERY', `Invalid query. ${reason}.`, { details: { reason } })

const COLLECTION = 'directus_users'
const fieldError = (code: string, message: string, field: string) =>
  new StoreError(400, code, message, { details: { collection: COLLECTION, field } })
export const notUnique = (field: string) =>
  fieldError(
    'RECORD_NOT_UNIQUE',
    `Value for field "${field}" in collection "${COLLECTION}" has to be unique.`,
    field,
  )
export const invalidForeignKey = (field: string) =>
  fieldError(
    'INVALID_FOREIGN_KEY',
    `Invalid foreign key for field "${field}" in collection "${COLLECTION}".`,
    field,
  )

export const requestsExceeded = (limit: number, seconds: number, now: number) =>
  new StoreError(429, 'REQUESTS_EXCEEDED', `Too many requests, retry after ${seconds}s.`, {
    details: { limit, reset: new Date(now + seconds * 1000).toISOString() },
    retryAfter: seconds,
  })
export const unavailable = (retryAfter: number) =>
  new StoreError(503, 'SERVICE_UNAVAILABLE', 'The service is busy, retry later.', { retryAfter })
export const unexpected = () => new StoreError(500, 'INTERNAL_SERVER_ERROR', 'An unexpected error occurred.')
