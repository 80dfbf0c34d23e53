import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Db, Tx } from '../../database/database.ts'
import type { Access, EffectiveRoles } from '../auth/authorize.ts'
import type { OrganisationTarget, ProjectTarget, WorkspaceTarget } from '../auth/locate-target.ts'
import type { ParticipantConversation } from '../auth/participant-token.ts'
import type { Principal } from '../auth/principal.ts'
import type { EventStream } from './event-stream.ts'
import type { OperationExtras, RawBody, ResponseBody, Tag } from './openapi/index.ts'
import type { ProblemCode } from './problems.ts'
import type { RateLimits } from './rate-limits.ts'
import type { HttpResponse } from './response.ts'

type TargetOf<A extends Access> = A extends { kind: 'organisation' }
  ? OrganisationTarget
  : A extends { kind: 'workspace' }
    ? WorkspaceTarget
    : A extends { kind: 'project' }
      ? ProjectTarget
      : A extends { kind: 'participant' }
        ? ParticipantConversation
        : null

/** The caller and the target of a verb. It knows nothing of HTTP: a job or a test can make one. */
export interface Context<T = unknown> {
  principal: Principal
  /** Null on routes without a target. */
  roles: EffectiveRoles | null
  target: T
  requestId: string
  db: Db
  /** Throws `precondition_failed` when the caller expects another state of the record. Call it with the row locked. */
  requireUnchanged(fields: unknown): void
}

/** A verb that changes something does so in this transaction, which rolls back when the verb throws. */
export interface ChangeContext<T = unknown> extends Context<T> {
  tx: Tx
}

/** The context together with the checked input of the request, for route tables. */
export interface RouteContext<A extends Access = Access, B = unknown, Q = unknown>
  extends Context<TargetOf<A>> {
  params: Record<string, string>
  body: B
  query: Q
  headers: FastifyRequest['headers']
  ifMatch: string | undefined
  accept: string | undefined
  request: FastifyRequest
  /** Counts the request against one more limit. */
  spend(limit: keyof RateLimits, key: string): Promise<void>
  /**
   * For long downloads: rejects when the caller's role no longer allows the request. The credential is not checked again,
   * because an access token expires sooner than a large download ends.
   */
  reauthorize(): Promise<void>
}

type ChangeRouteContext<A extends Access, B> = RouteContext<A, B> & { tx: Tx }

export interface RouteSpec<A extends Access, Q extends z.ZodType, F = unknown> {
  /** The name of the operation in OpenAPI. */
  id: string
  summary: string
  tag: Tag
  url: string
  access: A
  query?: Q
  /** The schema of each response that is not an error: null for no body, a record for one schema per media type. */
  responses: Record<number, ResponseBody>
  /** Errors beyond those that follow from access and input. */
  problems?: readonly ProblemCode[]
  /** Headers of every response of the route, errors included. */
  headers?: Record<string, string>
  openapi?: OperationExtras
  /** Finds the record that the path names, before the body is read: `not_found` comes before 415, 413 and 422. */
  find?: (context: RouteContext<A>) => Promise<F>
}

/** How the value of a verb becomes a response. The status is the first of `responses`. */
interface ResponseSpec<C, V> {
  /** Sends an ETag: of the whole value, or of the fields that If-Match compares. */
  etag?: true | ((value: V) => unknown)
  location?: (value: V, context: C) => string
  /** The whole response, where status or headers depend on the value: files, ranges. */
  respond?: (value: V, context: C) => HttpResponse | Promise<HttpResponse>
}

export interface ReadSpec<A extends Access, Q extends z.ZodType, F, V>
  extends RouteSpec<A, Q, F>,
    ResponseSpec<RouteContext<A, undefined, z.output<Q>>, V> {
  read(context: RouteContext<A, undefined, z.output<Q>>, found: F): Promise<V>
}

export interface StreamSpec<A extends Access, Q extends z.ZodType> extends RouteSpec<A, Q> {
  /** Checks the request and returns the function that then sends. A reconnecting client names its last event. */
  stream(
    context: RouteContext<A, undefined, z.output<Q>>,
    lastEventId: string | undefined,
  ): Promise<(stream: EventStream) => Promise<void>>
}

/** Identifies a request of a participant that can be repeated. Signed-in users are identified by their id and the path. */
interface IdempotencyScope {
  userId: string
  path: string
  body: unknown
}

export interface ChangeSpec<A extends Access, B extends z.ZodType, P, F, V>
  extends RouteSpec<A, z.ZodType, F>,
    ResponseSpec<RouteContext<A, z.output<B>>, V> {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body: B
  /** Calls other services (the identity store) before the transaction opens and holds locks. */
  prepare?(context: RouteContext<A, z.output<B>>, found: F): Promise<P>
  /** For POST routes without an account: they take an Idempotency-Key only if they declare its scope. */
  idempotency?(context: RouteContext<A, z.output<B>>, prepared: P): IdempotencyScope
  /** Runs in one transaction, which commits when it returns and rolls back when it throws. */
  change(context: ChangeRouteContext<A, z.output<B>>, tx: Tx, prepared: P, found: F): Promise<V>
}

/** A route that manages its own transactions, or gets its body unread. */
export interface HandleSpec<A extends Access, B extends z.ZodType, F, V>
  extends RouteSpec<A, z.ZodType, F>,
    ResponseSpec<RouteContext<A, z.output<B>>, V> {
  method: 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: B | RawBody
  /** Closes the connection after an error, so that the client stops sending a large body. */
  closeOnError?: true
  handle(context: RouteContext<A, z.output<B>>, found: F): Promise<V>
}
