import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Agent, type Dispatcher } from 'undici'
import { StorageFull, StorageUnavailable } from '../file-store.ts'
import { S3Error } from './s3-error.ts'
import { type Credentials, createSigner, encode, encodeQuery } from './sign-request.ts'
import { textOf } from './xml.ts'

export interface S3Options extends Credentials {
  bucket: string
  /** Null for Amazon S3. */
  endpoint: string | null
  limits?: Partial<S3Limits>
  /** Called after each attempt with the status, or the code of a network error. */
  onAttempt?(method: string, outcome: string, seconds: number): void
}

export interface S3Limits {
  connections: number
  connectMs: number
  /** Without a byte of the response. */
  silenceMs: number
  /** For one attempt, without the body of its response. */
  attemptMs: number
  /** No attempt begins later than this after the first. */
  retryMs: number
}

const LIMITS: S3Limits = {
  connections: 128,
  connectMs: 3_000,
  silenceMs: 15_000,
  attemptMs: 60_000,
  retryMs: 10_000,
}

export interface S3Request {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'HEAD'
  /** Empty for the bucket. */
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Buffer
  /** SHA-256 of the body in hex, if it is known. */
  digest?: string
  /** Statuses besides 2xx that are returned instead of thrown. */
  accepts?: number[]
}

export type S3Response = Dispatcher.ResponseData

export interface S3Client {
  /** Retries after network errors, 429 and 5xx. Then rejects with `StorageUnavailable`. */
  send(request: S3Request): Promise<S3Response>
  /** Reads the response as text. */
  text(request: S3Request): Promise<string>
  close(): Promise<void>
}

const EMPTY_DIGEST = createHash('sha256').digest('hex')
const MAX_PAUSE_MS = 2_000
const FULL = new Set([
  'QuotaExceeded',
  'InsufficientStorage',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
])
const RETRIED_CODES = new Set([
  'RequestTimeout',
  'SlowDown',
  'OperationAborted',
  'ConditionalRequestConflict',
])
const isRetried = (status: number, code: string): boolean =>
  status === 429 || (status >= 500 && status !== 501 && status !== 507) || RETRIED_CODES.has(code)

export function createS3Client({ bucket, endpoint, onAttempt, ...options }: S3Options): S3Client {
  const limits = { ...LIMITS, ...options.limits }
  const sign = createSigner(options)
  const { origin, host, base } = addressOf(bucket, endpoint, options.region)
  const agent = new Agent({
    connections: limits.connections,
    connect: { timeout: limits.connectMs },
    headersTimeout: limits.silenceMs,
    bodyTimeout: limits.silenceMs,
    keepAliveTimeout: 10_000,
  })

  async function attempt(request: S3Request): Promise<S3Response> {
    const { method, key, query = {}, headers = {}, body = null, digest = digestOf(body) } = request
    const path = `${base}${key === undefined ? '' : `/${key.split('/').map(encode).join('/')}`}` || '/'
    const search = encodeQuery(query)
    return agent.request({
      origin,
      method,
      path: search ? `${path}?${search}` : path,
      headers: sign({ method, host, path, query, headers, digest }),
      body,
      signal: AbortSignal.timeout(limits.attemptMs),
    })
  }

  async function once(request: S3Request): Promise<S3Response | Retry> {
    const began = performance.now()
    const note = (outcome: string) => onAttempt?.(request.method, outcome, (performance.now() - began) / 1000)
    let response: S3Response
    try {
      response = await attempt(request)
    } catch (error) {
      note((error as NodeJS.ErrnoException).code ?? 'error')
      return new Retry(error, 0)
    }
    const { statusCode: status } = response
    note(String(status))
    if (status < 300 || request.accepts?.includes(status)) return response
    const code = textOf(await response.body.text().catch(() => ''), 'Code')
    if (status === 507 || FULL.has(code)) throw new StorageFull()
    const failure = new S3Error(request, status, code)
    if (isRetried(status, code)) return new Retry(failure, secondsOf(response.headers['retry-after']))
    throw failure
  }

  async function send(request: S3Request): Promise<S3Response> {
    const began = performance.now()
    for (let attempts = 1; ; attempts++) {
      const result = await once(request)
      if (!(result instanceof Retry)) return result
      const waitMs = Math.max(result.afterMs, Math.random() * Math.min(MAX_PAUSE_MS, 50 * 2 ** attempts))
      if (performance.now() - began + waitMs > limits.retryMs)
        throw new StorageUnavailable(`The S3 server is unavailable after ${attempts} attempts`, {
          cause: result.reason,
        })
      await pause(waitMs)
    }
  }

  return { send, text: (request) => textOfResponse(send, request), close: () => agent.destroy() }
}

class Retry {
  readonly reason: unknown
  readonly afterMs: number
  constructor(reason: unknown, afterSeconds: number) {
    this.reason = reason
    this.afterMs = afterSeconds * 1_000
  }
}

const MAX_READS = 3

/** A connection that breaks in the body of the response is retried too. */
async function textOfResponse(send: S3Client['send'], request: S3Request): Promise<string> {
  for (let reads = 1; ; reads++) {
    const { body } = await send(request)
    try {
      return await body.text()
    } catch (error) {
      if (reads === MAX_READS)
        throw new StorageUnavailable(
          'The S3 server repeatedly closed the connection before the response was complete',
          { cause: error },
        )
    }
  }
}

const digestOf = (body: Buffer | null): string =>
  body === null ? EMPTY_DIGEST : createHash('sha256').update(body).digest('hex')

const secondsOf = (header: string | string[] | undefined): number => {
  const seconds = Number(header ?? 0)
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 0
}

/** With an endpoint the bucket is in the path, which every S3 server supports; Amazon S3 has it in the host name. */
function addressOf(bucket: string, endpoint: string | null, region: string) {
  const url = new URL(endpoint ?? `https://${bucket}.s3.${region}.amazonaws.com`)
  const path = url.pathname.replace(/\/+$/, '')
  return { origin: url.origin, host: url.host, base: endpoint === null ? path : `${path}/${encode(bucket)}` }
}
