import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { inTransaction } from '../../database/database.ts'
import type { Keyring } from '../../platform/encryption.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Access, AccountAccess } from '../auth/authorize.ts'
import {
  type AuthorizationOptions,
  type AuthorizedRequest,
  authorizePrincipal,
  authorizeRequest,
} from './authorize-request.ts'
import { type EventStream, openEventStream } from './event-stream.ts'
import { findStoredResponse, type IdempotentRequest, keyIn, runOnce } from './idempotency.ts'
import { describeRoute } from './openapi/describe-route.ts'
import { fastifySchemaOf, type Operation } from './openapi/index.ts'
import { Problem } from './problems.ts'
import { rateLimitHeaders, spend } from './rate-limit-headers.ts'
import { STREAM_TOKENS } from './rate-limits.ts'
import { etagOf, type HttpResponse, requireMatch } from './response.ts'
import type { ChangeSpec, HandleSpec, ReadSpec, RouteContext, RouteSpec, StreamSpec } from './route-spec.ts'
import type { Slots } from './shared-limits/slots.ts'
import { waitForSlot } from './shared-limits/wait-for-slot.ts'
import { createStreamLimits, type StreamOwner } from './stream-limits.ts'

export interface RouterOptions extends AuthorizationOptions {
  keyring: Keyring
  metrics: Metrics
  slots: Slots
  processId: string
}

/** A verb that returns a whole response needs `respond`; without it the router would send the response as a JSON body. */
type Responds<V> = V extends HttpResponse ? { respond: unknown } : unknown

/** Registers routes. Each declares its access, which is checked here, before any body is read. */
export interface Router {
  read<A extends Access, Q extends z.ZodType, F, V>(spec: ReadSpec<A, Q, F, V> & Responds<V>): void
  /** Server-sent events. A caller who loses the credential, role or tier loses the stream within a minute. */
  stream<A extends AccountAccess, Q extends z.ZodType>(spec: StreamSpec<A, Q>): void
  change<A extends Access, B extends z.ZodType, P, F, V>(spec: ChangeSpec<A, B, P, F, V> & Responds<V>): void
  handle<A extends Access, B extends z.ZodType, F, V>(spec: HandleSpec<A, B, F, V> & Responds<V>): void
  /** Routes that get bodies of this content type unread, as a stream. No other route does. */
  rawBodies(options: RawBodyOptions, register: (router: Pick<Router, 'handle'>) => void): Promise<void>
  /** A page for browsers, open to everyone. OpenAPI does not list it: it is not part of the API. */
  page(
    url: string,
    handler: (request: FastifyRequest<PageRoute>, reply: FastifyReply) => Promise<unknown>,
    options?: { conditional?: boolean },
  ): void
  /** Refuses every caller without this access, for paths that are not in the route tables. */
  guard(access: Access): (request: FastifyRequest) => Promise<void>
}

interface PageRoute {
  Params: Record<string, string>
  Querystring: Record<string, unknown>
}

interface RawBodyOptions {
  contentType: string | RegExp
  /** The detail of the 415 for other content types. */
  detail: string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
  }
  interface FastifyRequest {
    authorized: AuthorizedRequest | null
    /** The result of the route's `find`. */
    found: unknown
  }
}

type AnyContext = RouteContext<never, never, never>
type Handler = (context: AnyContext, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

export function createRouter(app: FastifyInstance, options: RouterOptions): Router {
  const { database, keyring } = options
  app.decorateRequest('authorized', null)
  app.decorateRequest('found', null)
  // A route without access must fail at start instead of being open to everyone.
  app.addHook('onRoute', (route) => {
    if (!route.config?.access)
      throw new Error(`Route ${String(route.method)} ${route.url} declares no access`)
  })

  function register(scope: FastifyInstance, spec: AnySpec, operation: Operation, handler: Handler): void {
    scope.route({
      method: operation.method,
      url: spec.url,
      config: { access: spec.access, operation },
      schema: fastifySchemaOf(operation),
      onRequest: async (request, reply) => {
        if (spec.headers) reply.headers(spec.headers)
        request.authorized = await authorizeRequest(request, spec.access, options)
        // Event streams take the reply over, so the onSend hook would be too late for them.
        reply.headers(rateLimitHeaders(request))
        if (spec.find) request.found = await spec.find(contextOf(request, options) as never)
      },
      handler: (request, reply) => handler(contextOf(request, options), request, reply),
    })
  }

  const handleOn =
    (scope: FastifyInstance): Router['handle'] =>
    (spec) => {
      const toResponse = responseBuilder(spec)
      register(scope, spec, describeRoute(spec, spec.method, spec.body), async (context, request, reply) => {
        try {
          const value = await spec.handle(context, request.found as never)
          return send(reply, await toResponse(value, context))
        } catch (error) {
          if (spec.closeOnError) reply.header('connection', 'close')
          throw error
        }
      })
    }

  const queue = createRequestQueue(options.slots)
  const streams = createStreams(app, options)

  return {
    handle: handleOn(app),
    read: (spec) => {
      const toResponse = responseBuilder(spec)
      register(app, spec, describeRoute(spec, 'GET'), async (context, request, reply) => {
        const value = await spec.read(context, request.found as never)
        const response = await toResponse(value, context)
        return send(reply, request.method === 'HEAD' ? withoutContent(response) : response)
      })
    },
    stream: (spec) =>
      register(app, spec, describeRoute(spec, 'GET'), async (context, request, reply) =>
        streams.serve(request, reply, () => spec.stream(context, lastEventIdOf(request))),
      ),
    change: (spec) => {
      const toResponse = responseBuilder(spec)
      register(app, spec, describeRoute(spec, spec.method, spec.body), async (context, request, reply) => {
        const isUsers =
          spec.method === 'POST' && spec.access.kind !== 'public' && spec.access.kind !== 'participant'
        const repeatable = isUsers ? idempotentRequest(request) : null
        const response = await queue(repeatable, spec.prepare !== undefined, async () => {
          const stored = repeatable && (await findStoredResponse(database.db, keyring, repeatable))
          if (stored) return stored
          const prepared = (await spec.prepare?.(context, request.found as never)) as never
          const scope = spec.idempotency?.(context, prepared)
          const once = scope ? { ...idempotentRequest(request), ...scope } : repeatable
          return inTransaction(database.db, (tx) => {
            const withTx = { ...context, tx } as never
            const work = async () =>
              toResponse(await spec.change(withTx, tx, prepared, request.found as never), context)
            return once ? runOnce(tx, keyring, once, work) : work()
          })
        })
        return send(reply, response)
      })
    },
    async rawBodies({ contentType, detail }, registerRoutes) {
      await app.register(async (scope) => {
        scope.removeAllContentTypeParsers()
        scope.addContentTypeParser(contentType, (_request, payload, done) => done(null, payload))
        scope.addContentTypeParser('*', (_request, _payload, done) =>
          done(new Problem('unsupported_media', { detail })),
        )
        registerRoutes({ handle: handleOn(scope) })
      })
    },
    page: (url, handler, config) =>
      void app.get<PageRoute>(url, {
        config: { access: { kind: 'public' }, ...config },
        schema: { hide: true },
        onRequest: async (request) => void (await authorizeRequest(request, { kind: 'public' }, options)),
        handler,
      }),
    guard: (access) => async (request) => void (await authorizeRequest(request, access, options)),
  }
}

/** The part of every spec that registration reads. */
interface AnySpec {
  url: string
  access: Access
  headers?: Record<string, string>
  find?: (context: never) => Promise<unknown>
}

const contextOf = (request: FastifyRequest, options: RouterOptions): AnyContext => {
  const { headers } = request
  return {
    ...(request.authorized as AuthorizedRequest),
    params: request.params,
    body: request.body,
    query: request.query,
    headers,
    ifMatch: headers['if-match'],
    accept: headers.accept,
    request,
    requestId: request.id,
    db: options.database.db,
    requireUnchanged: (fields: unknown) => requireMatch(headers['if-match'], fields),
    spend: (limit, key) => spend(request, options.limits?.[limit], key),
    reauthorize: async () => {
      const { access } = request.routeOptions.config
      const { principal } = request.authorized as AuthorizedRequest
      await authorizePrincipal(request, access as AccountAccess, principal, options)
    },
  } as AnyContext
}

type AnyResponseSpec<V> = {
  responses: RouteSpec<Access, z.ZodType>['responses']
  etag?: true | ((value: V) => unknown)
  location?: (value: V, context: never) => string
  respond?: (value: V, context: never) => HttpResponse | Promise<HttpResponse>
}

type ToResponse<V> = (value: V, context: AnyContext) => HttpResponse | Promise<HttpResponse>

function responseBuilder<V>({ respond, location, etag, responses }: AnyResponseSpec<V>): ToResponse<V> {
  if (respond) return (value, context) => respond(value, context as never)
  const status = Number(Object.keys(responses)[0])
  return (value, context) => {
    const headers: Record<string, string> = {}
    if (location) headers['location'] = location(value, context as never)
    if (etag) headers['etag'] = etagOf(value, etag === true ? value : etag(value))
    return value === undefined ? { status, headers } : { status, headers, body: value }
  }
}

/** Longer than any call of a request to another server. */
const CALLS_TIMEOUT_MS = 60_000

/**
 * A repeat that arrives during `prepare` of the first request waits for it, so that `prepare` sends its calls once. Repeats of a change
 * without `prepare` wait only for those of this process, and otherwise in their transaction (idempotency.ts).
 */
function createRequestQueue(slots: Slots) {
  const pending = new Map<string, Promise<HttpResponse>>()
  return async (request: IdempotentRequest | null, hasCalls: boolean, work: () => Promise<HttpResponse>) => {
    if (request?.key === undefined) return work()
    const key = `${request.userId} ${request.key}`
    const first = pending.get(key)
    const workAlone = async () => {
      if (!hasCalls) return work()
      const release = await waitForSlot(slots, `idempotency key ${key}`, { timeoutMs: CALLS_TIMEOUT_MS })
      return work().finally(() => void release?.())
    }
    const mine = first ? first.then(workAlone, workAlone) : workAlone()
    pending.set(key, mine)
    return mine.finally(() => pending.get(key) === mine && pending.delete(key))
  }
}

const idempotentRequest = (request: FastifyRequest): IdempotentRequest => ({
  userId: (request.authorized as AuthorizedRequest).principal.userId,
  key: keyIn(request.headers),
  method: request.method,
  path: request.url,
  body: request.body,
})

function createStreams(app: FastifyInstance, options: RouterOptions) {
  const open = new Set<EventStream>()
  const streamLimits = createStreamLimits(options)
  options.metrics.gauge('parley_streams_open', 'Event streams that are open', () => open.size)
  const refusedHelp = 'Event streams that were refused by a limit'
  const countRefused = options.metrics.counter('parley_streams_refused_total', refusedHelp, [])
  // A stream does not end on its own and would delay the shutdown.
  app.addHook('preClose', async () => {
    for (const stream of open) stream.end()
  })

  /** Reserves one of the streams that can be open, and takes what opening it costs beyond a plain request. */
  async function reserve(request: FastifyRequest): Promise<() => void> {
    const owner = streamOwner(request.authorized as AuthorizedRequest)
    let release: (() => void) | undefined
    try {
      release = await streamLimits.take(owner)
      await spend(request, options.limits?.perUser, owner.userId, STREAM_TOKENS - 1)
      return release
    } catch (error) {
      release?.()
      countRefused([])
      throw error
    }
  }

  // These checks are the service's own: counting them would end the streams of a busy user.
  const uncounted = { ...options, limits: null }
  const isStillAuthorized = (request: FastifyRequest) =>
    authorizeRequest(request, request.routeOptions.config.access as Access, uncounted).then(
      () => true,
      (error: unknown) => !(error instanceof Problem) || error.status >= 500,
    )

  return {
    async serve(
      request: FastifyRequest,
      reply: FastifyReply,
      prepare: () => Promise<(stream: EventStream) => Promise<void>>,
    ): Promise<unknown> {
      const release = await reserve(request)
      try {
        const sendEvents = await prepare()
        if (request.method === 'HEAD') return reply.type('text/event-stream; charset=utf-8').send()
        const stream = openEventStream(reply, () => isStillAuthorized(request))
        open.add(stream)
        // An error ends the stream; the client reconnects and names its last event.
        await sendEvents(stream).catch(() => {})
        open.delete(stream)
        stream.end()
        return undefined
      } finally {
        release()
      }
    },
  }
}

function streamOwner({ principal, target }: AuthorizedRequest): StreamOwner {
  const isProject = target !== null && 'workspace_id' in target
  return {
    userId: principal.userId,
    projectId: isProject ? target.id : null,
    workspaceId: isProject ? target.workspace_id : null,
  }
}

function lastEventIdOf(request: FastifyRequest): string | undefined {
  const header = request.headers['last-event-id']
  return typeof header === 'string' && header !== '' ? header : undefined
}

/** For HEAD: Fastify would read a stream to its end although it sends nothing of it. */
function withoutContent(response: HttpResponse): HttpResponse {
  if (!(response.body instanceof Readable)) return response
  response.body.destroy()
  return { ...response, body: Readable.from([]) }
}

function send(reply: FastifyReply, { status, headers, body }: HttpResponse): FastifyReply {
  return reply.code(status).headers(headers).send(body)
}
