import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { isDatabaseUnavailable } from '../../database/database.ts'
import type { Logger } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { StorageFull, StorageUnavailable } from '../../storage/file-store.ts'
import { handleConditionalRequests } from './conditional-requests.ts'
import { fromZodError, invalidInput, Problem, type ProblemCode, problemBody } from './problems.ts'
import { showRateLimits } from './rate-limit-headers.ts'

export interface HttpOptions {
  log: Logger
  metrics: Metrics
  /** Addresses or CIDRs whose X-Forwarded-For is believed. */
  trustedProxies: string[]
  /** Sends the page for an unknown URL outside the API. */
  sendNotFoundPage(request: FastifyRequest, reply: FastifyReply): FastifyReply
}

const MIB = 1024 * 1024
const JSON_LIMIT = MIB

/** Clients can choose the id of a request, in a form that is safe in a log line. */
const REQUEST_ID = /^[\w.-]{1,64}$/

const NO_FRAMES = "frame-ancestors 'none'"

const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; ${NO_FRAMES}`,
  'cross-origin-resource-policy': 'same-site',
  'referrer-policy': 'no-referrer',
  vary: 'Origin',
  'x-content-type-options': 'nosniff',
}

/** The HTTP server that every area registers on: ids, errors, JSON, limits, metrics and the access log. */
export function createHttp({ log, metrics, trustedProxies, sendNotFoundPage }: HttpOptions): FastifyInstance {
  const app = Fastify({
    logger: false,
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    bodyLimit: JSON_LIMIT,
    // A chunk of 25 MiB over a slow connection takes minutes. Headers have one minute, Node's default.
    requestTimeout: 300_000,
    forceCloseConnections: 'idle',
    rewriteUrl: (request) => decodable(request.url ?? '/'),
    frameworkErrors: (_error, request, reply) => void sendProblem(request, reply, new Problem('not_found')),
    clientErrorHandler: sendParserError,
    // Longer than any URL that Node accepts, so that an id of any length gets the same checks.
    routerOptions: { maxParamLength: 65_536 },
  })
  closeUnusedConnections(app)
  readJson(app)
  // Path parameters are not validated: routes return 404 for an id that cannot exist.
  app.setValidatorCompiler(({ schema, httpPart }) =>
    httpPart === 'params' ? () => true : validate(schema as z.ZodType),
  )
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler((error: FastifyError, request, reply) =>
    request.is404 && isForPage(request)
      ? sendNotFoundPage(request, reply)
      : sendProblem(request, reply, toProblem(error), error, log),
  )
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, new Problem('not_found')))
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS).header('x-request-id', request.id)
    done()
  })
  // Runs after every onRequest hook, such as CORS, and before the body is parsed, so that an unknown path returns 404 and not 415.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    done(request.is404 ? new Problem('not_found') : null, payload)
  })
  handleConditionalRequests(app)
  showRateLimits(app)
  // The status was sent before the stream failed, so only this log line shows the error.
  app.addHook('onSend', (request, reply, payload, done) => {
    forbidFrames(reply)
    if (payload instanceof Readable)
      payload.once('error', (err) =>
        log.error(
          { err, request_id: request.id, route: request.routeOptions.url },
          'Response stream failed; the connection was closed',
        ),
      )
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    metrics.httpRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
    log.info(
      {
        request_id: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    )
    done()
  })
  return app
}

/**
 * A stop closes connections on which no request has begun, as browsers open them in advance. Node would wait for their first
 * request for a minute.
 */
function closeUnusedConnections(app: FastifyInstance): void {
  const open = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  app.addHook('preClose', (done) => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    done()
  })
}

/** Whether a browser asks for a page: other clients and everything below /api get JSON. */
const isForPage = ({ method, url, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  !/^\/api(\/|\?|$)/.test(url) &&
  String(headers.accept).includes('text/html')

/** A page with its own policy replaces the default one, which forbids frames. */
function forbidFrames(reply: FastifyReply): void {
  const policy = String(reply.getHeader('content-security-policy'))
  if (!policy.includes('frame-ancestors')) reply.header('content-security-policy', `${policy}; ${NO_FRAMES}`)
}

/** A path that cannot be decoded is taken literally, so that it gets the same checks as any other unknown path. */
function decodable(url: string): string {
  if (!url.includes('%')) return url
  try {
    decodeURIComponent(url)
    return url
  } catch {
    return url.replaceAll('%', '%25')
  }
}

const requestId = (given: string | string[] | undefined): string =>
  typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()

const validate = (schema: z.ZodType) => (data: unknown) => {
  const result = schema.safeParse(data)
  return result.success ? { value: result.data } : { error: fromZodError(result.error) }
}

/** Accepts only JSON; everything else is 415. An empty body counts as absent; the schema decides whether it is required. */
function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    if (!isUtf8(body as Buffer)) return done(malformedJson())
    void parse(request, body.toString(), (error, value) =>
      error ? done(malformedJson()) : done(null, value),
    )
  })
}

const malformedJson = (): Problem => invalidInput({ path: '', message: 'The body is not valid JSON.' })

const FRAMEWORK_PROBLEMS: Record<string, [ProblemCode, detail?: string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media',
    'This route does not accept a body of this Content-Type. Send application/json.',
  ],
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad_request', 'Content-Length is not the length of the body.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['invalid_input'],
  FST_ERR_BAD_URL: ['not_found'],
  FST_ERR_MAX_PARAM_LENGTH: ['not_found'],
}

function toProblem(error: FastifyError): Problem {
  if (error instanceof Problem) return error
  const [code, detail] = FRAMEWORK_PROBLEMS[error.code] ?? []
  if (code) return new Problem(code, { ...(detail && { detail }) })
  if (isDatabaseUnavailable(error)) return new Problem('not_ready', { retryAfterSeconds: 2 })
  if (error instanceof StorageUnavailable) return new Problem('storage_unavailable', { retryAfterSeconds: 5 })
  if (error instanceof StorageFull) return new Problem('storage_full', { retryAfterSeconds: 60 })
  return new Problem('internal_error')
}

function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
  cause?: Error,
  log?: Logger,
): FastifyReply {
  const { headers, retryAfterSeconds } = problem.extras
  // A full disk is not a fault of the code, so its stack would say nothing.
  const isExpected = problem === cause || problem.code === 'storage_full'
  const fields = { request_id: request.id, code: problem.code, ...(!isExpected && { err: cause }) }
  // Probes of /api/ready get `not_ready` during the start; the access log shows them.
  const isProbe = problem === cause && problem.code === 'not_ready'
  if (problem.status === 503 && !isProbe) log?.warn(fields, 'Dependency unavailable; the client should retry')
  else if (problem.status >= 500 && problem.status !== 503) log?.error(fields, 'Request failed')
  return reply
    .code(problem.status)
    .headers({ ...headers, ...(retryAfterSeconds && { 'retry-after': retryAfterSeconds }) })
    .type('application/problem+json')
    .serializer(JSON.stringify)
    .send(problemBody(problem, request.id))
}

/** Requests that Node's HTTP parser rejects reach no route. They get problem+json too. */
function sendParserError(error: Error & { code?: string; rawPacket?: unknown }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const problem =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new Problem('headers_too_large')
      : new Problem('bad_request', { detail: 'The request is not valid HTTP.' })
  const body = JSON.stringify(problemBody(problem, randomUUID()))
  const { status } = problem
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${isHead(error.rawPacket) ? '' : body}`,
  )
}

/** A body after the response to HEAD would be read as the next response. */
const isHead = (packet: unknown): boolean =>
  Buffer.isBuffer(packet) && packet.subarray(0, 5).toString() === 'HEAD '
