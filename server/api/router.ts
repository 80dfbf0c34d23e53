import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { type Database, inTransaction } from '../../database/database.ts'
import type { AddressLimit } from '../../platform/address-limit.ts'
import type { Keyring } from '../../platform/encryption.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { RateLimit } from '../../platform/rate-limit.ts'
import type { Authentication } from '../auth/authenticate.ts'
import { type Access, decide, type Guarded, type Standing } from '../auth/authorize.ts'
import {
  locateOrganisation,
  locateProject,
  locateProjectOf,
  locateWorkspace,
  type OrganisationTarget,
  type ProjectTarget,
  type WorkspaceTarget,
} from '../auth/locate-target.ts'
import type { Principal } from '../auth/principal.ts'
import { refuseForgery } from './csrf.ts'
import { type EventStream, openEventStream } from './event-stream.ts'
import { once as doOnce, type IdempotentRequest, keyIn, recall } from './idempotency.ts'
import { describeRoute } from './openapi/describe-route.ts'
import { fastifySchemaOf, type Operation } from './openapi/index.ts'
import { Problem } from './problems.ts'
import { rateLimitHeaders, spend } from './rate-limit-headers.ts'
import type { Answer } from './response.ts'
import type { ChangeSpec, Context, ReadSpec, RouteSpec, StreamSpec } from './route-spec.ts'
import { createStreamLimits, STREAM_TOKENS, type StreamOwner } from './stream-limits.ts'

/** What the routes stand on. */
export interface RouterOptions {
  database: Database
  authentication: Authentication
  keyring: Keyring
  allowedOrigins: ReadonlySet<string>
  tierGates: boolean
  confirmStaff: boolean
  /** Null with RATE_LIMITS=off. */
  limits: { perUser: RateLimit; failuresPerAddress: AddressLimit } | null
  metrics: Metrics
}

/** Registers routes. Each says what it asks of its caller; the check is made here, before any body is read. */
export interface Router {
  read<A extends Guarded, Q extends z.ZodType, F>(spec: ReadSpec<A, Q, F>): void
  /** Server-sent events. Whoever loses their credential, role or tier meanwhile loses the stream within a minute. */
  stream<A extends Guarded, Q extends z.ZodType>(spec: StreamSpec<A, Q>): void
  change<A extends Guarded, B extends z.ZodType, P, F>(spec: ChangeSpec<A, B, P, F>): void
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
  }
  interface FastifyRequest {
    admitted: Admitted | null
    /** What the route's `find` brought along. */
    found: unknown
  }
}

interface Admitted {
  principal: Principal
  standing: Standing | null
  target: OrganisationTarget | WorkspaceTarget | ProjectTarget | null
}

export function createRouter(app: FastifyInstance, options: RouterOptions): Router {
  const { database, keyring } = options
  app.decorateRequest('admitted', null)
  app.decorateRequest('found', null)
  // Deny by default: forgetting the declaration must fail at start, not open a door.
  app.addHook('onRoute', (route) => {
    if (!route.config?.access)
      throw new Error(`Route ${String(route.method)} ${route.url} declares no access`)
  })

  const contextOf = (request: FastifyRequest): Context<never, never, never> =>
    ({
      ...(request.admitted as Admitted),
      params: request.params,
      body: request.body,
      query: request.query,
      ifMatch: request.headers['if-match'],
      accept: request.headers.accept,
      range: request.headers.range,
      ifRange: request.headers['if-range'],
      requestId: request.id,
      db: database.db,
      judgeAgain: () => judgeAgain(request, options),
    }) as Context<never, never, never>

  function register<A extends Guarded>(
    spec: RouteSpec<A, z.ZodType>,
    method: Operation['method'],
    body: z.ZodType | undefined,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ): void {
    const { find } = spec
    const operation = describeRoute(spec, method, body)
    app.route({
      method,
      url: spec.url,
      config: { access: spec.access, operation },
      schema: fastifySchemaOf(operation),
      onRequest: async (request, reply) => {
        request.admitted = await admit(request, spec.access, options)
        // Here for event streams, which take the reply over.
        reply.headers(rateLimitHeaders(request))
        if (find) request.found = await find(contextOf(request))
      },
      handler,
    })
  }

  /** A repeat that comes while the first is being prepared waits for it: what `prepare` sends out goes out once. */
  const underWay = new Map<string, Promise<Answer>>()
  async function oneAtATime(once: IdempotentRequest | null, work: () => Promise<Answer>): Promise<Answer> {
    if (once?.key === undefined) return work()
    const key = `${once.userId} ${once.key}`
    const first = underWay.get(key)
    const mine = first ? first.then(work, work) : work()
    underWay.set(key, mine)
    return mine.finally(() => underWay.get(key) === mine && underWay.delete(key))
  }

  const streams = new Set<EventStream>()
  const streamLimits = createStreamLimits()
  options.metrics.gauge('parley_streams_open', 'Event streams that are open', () => streams.size)
  const countRefusal = options.metrics.counter(
    'parley_streams_refused_total',
    'Event streams that were refused by a limit',
    [],
  )
  /** Takes a place among the open streams, and what opening one costs beyond a plain request. */
  function takeStreamPlace(request: FastifyRequest): () => void {
    const owner = streamOwner(request.admitted as Admitted)
    let giveBack: (() => void) | undefined
    try {
      giveBack = streamLimits.take(owner)
      spend(request, options.limits?.perUser, owner.userId, STREAM_TOKENS - 1)
      return giveBack
    } catch (error) {
      giveBack?.()
      countRefusal([])
      throw error
    }
  }
  // A stream has no end of its own: it must not hold up the service's.
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.end()
  })
  // The service asks here, not the user: it costs none of their rate limit, which would end a stream of a busy user.
  const unlimited = { ...options, limits: null }
  const stillAdmitted = (request: FastifyRequest, access: Guarded) =>
    admit(request, access, unlimited).then(
      () => true,
      (error: unknown) => !(error instanceof Problem) || error.status >= 500,
    )

  return {
    read: (spec) =>
      register(spec, 'GET', undefined, async (request, reply) => {
        const answer = await spec.read(contextOf(request), request.found as never)
        return send(reply, request.method === 'HEAD' ? unread(answer) : answer)
      }),
    stream: (spec) =>
      register(spec, 'GET', undefined, async (request, reply) => {
        const giveBack = takeStreamPlace(request)
        try {
          const feed = await spec.stream(contextOf(request), lastEventIdOf(request))
          if (request.method === 'HEAD') return reply.type('text/event-stream; charset=utf-8').send()
          const stream = openEventStream(reply, () => stillAdmitted(request, spec.access))
          streams.add(stream)
          // An error ends the stream; the client reconnects and names its last event.
          await feed(stream).catch(() => {})
          streams.delete(stream)
          stream.end()
        } finally {
          giveBack()
        }
      }),
    change: (spec) =>
      register(spec, spec.method, spec.body, async (request, reply) => {
        const context = contextOf(request)
        const once = spec.method === 'POST' ? idempotent(request) : null
        const answer = await oneAtATime(once, async () => {
          const kept = once && (await recall(database.db, keyring, once))
          if (kept) return kept
          const prepared = (await spec.prepare?.(context, request.found as never)) as never
          return inTransaction(database.db, (tx) => {
            const work = () => spec.change(context, tx, prepared, request.found as never)
            return once ? doOnce(tx, keyring, once, work) : work()
          })
        })
        return send(reply, answer)
      }),
  }
}

function streamOwner({ principal, target }: Admitted): StreamOwner {
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

function idempotent(request: FastifyRequest) {
  return {
    userId: (request.admitted as Admitted).principal.userId,
    key: keyIn(request.headers),
    method: request.method,
    path: request.url,
    body: request.body,
  }
}

/** For HEAD: Fastify would read a stream to its end, to send nothing of it. */
function unread(answer: Answer): Answer {
  if (!(answer.body instanceof Readable)) return answer
  answer.body.destroy()
  return { ...answer, body: Readable.from([]) }
}

function send(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  return reply.code(status).headers(headers).send(body)
}

/** Token 401, forgery 403, reach 404, capability 403, tier 403: in this order, on every route alike. */
export async function admit(
  request: FastifyRequest,
  access: Guarded,
  options: RouterOptions,
): Promise<Admitted> {
  const principal = await authenticate(request, options)
  if (principal.source === 'cookie') refuseForgery(request.method, request.headers, options.allowedOrigins)
  return judge(request, access, principal, options)
}

/** What the caller may do here, as it is now. */
async function judge(
  request: FastifyRequest,
  access: Guarded,
  principal: Principal,
  options: RouterOptions,
): Promise<Admitted> {
  const located = await locateTarget(access, principal, request, options)
  const standing =
    access.kind === 'staff' ? await staffStanding(principal, options) : (located?.standing ?? null)
  const { user_id } = request.params as { user_id?: string }
  if (standing) standing.self = user_id === principal.userId
  const verdict = decide(access, standing, options.tierGates)
  if (verdict !== 'allowed') throw new Problem(verdict)
  return { principal, standing, target: located?.target ?? null }
}

async function judgeAgain(request: FastifyRequest, options: RouterOptions): Promise<void> {
  const { access } = request.routeOptions.config
  const { principal } = request.admitted as Admitted
  await judge(request, access as Guarded, principal, options)
}

async function authenticate(
  request: FastifyRequest,
  { authentication, limits }: RouterOptions,
): Promise<Principal> {
  try {
    const principal = await authentication.authenticate(request.raw)
    spend(request, limits?.perUser, principal.userId)
    return principal
  } catch (error) {
    // Guessing tokens is slowed down per address; a good token never pays for its neighbours' bad ones.
    if (error instanceof Problem && error.code === 'unauthenticated')
      spend(request, limits?.failuresPerAddress, request.ip)
    throw error
  }
}

async function locateTarget(
  access: Guarded,
  principal: Principal,
  request: FastifyRequest,
  { database }: RouterOptions,
) {
  const { oid = '', wid = '', pid = '', cid = '', rid = '' } = request.params as Record<string, string>
  switch (access.kind) {
    case 'organisation':
      return locateOrganisation(database.lookUps, principal, oid)
    case 'workspace':
      return locateWorkspace(database.lookUps, principal, wid)
    case 'project':
      if (access.through)
        return locateProjectOf(
          database.lookUps,
          principal,
          access.through,
          access.through === 'report' ? rid : cid,
        )
      return locateProject(database.lookUps, principal, pid, access.tier !== undefined)
    default:
      return null
  }
}

async function staffStanding(
  principal: Principal,
  { confirmStaff, authentication }: RouterOptions,
): Promise<Standing> {
  const staff = principal.staff && (!confirmStaff || (await authentication.confirmStaff(principal)))
  return { staff, organisationRole: null, workspaceRole: null, tier: null }
}
