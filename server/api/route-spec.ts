import type { z } from 'zod'
import type { Db, Tx } from '../../database/database.ts'
import type { Guarded, Standing } from '../auth/authorize.ts'
import type { OrganisationTarget, ProjectTarget, WorkspaceTarget } from '../auth/locate-target.ts'
import type { Principal } from '../auth/principal.ts'
import type { EventStream } from './event-stream.ts'
import type { ResponseBody, Tag } from './openapi/index.ts'
import type { ProblemCode } from './problems.ts'
import type { Answer } from './response.ts'

type TargetOf<A extends Guarded> = A extends { kind: 'organisation' }
  ? OrganisationTarget
  : A extends { kind: 'workspace' }
    ? WorkspaceTarget
    : A extends { kind: 'project' }
      ? ProjectTarget
      : null

/** All that a verb is told of the request: who asks, towards what, and the checked input. */
export interface Context<A extends Guarded = Guarded, B = unknown, Q = unknown> {
  principal: Principal
  /** Null on routes without a target. */
  standing: Standing | null
  target: TargetOf<A>
  params: Record<string, string>
  body: B
  query: Q
  ifMatch: string | undefined
  accept: string | undefined
  /** The headers as they came. */
  range: string | undefined
  ifRange: string | undefined
  requestId: string
  db: Db
  /**
   * For answers that take long: rejects when the caller's role no longer allows what the route asks. The credential is not
   * asked again, since an access token lives shorter than a large download takes.
   */
  judgeAgain(): Promise<void>
}

export interface RouteSpec<A extends Guarded, Q extends z.ZodType, F = unknown> {
  /** The operation's name in OpenAPI. */
  id: string
  summary: string
  tag: Tag
  url: string
  access: A
  query?: Q
  /** The schema of each answer that is no problem; null for none, a record for one per media type. */
  answers: Record<number, ResponseBody>
  /** Refusals beyond those that follow from access and input. */
  problems?: ProblemCode[]
  /** Looks for the sub-resource that the path names, before the body is read: a thrown `not_found` comes before 415, 413 and 422. */
  find?: (context: Context<A>) => Promise<F>
}

export interface ReadSpec<A extends Guarded, Q extends z.ZodType, F = unknown> extends RouteSpec<A, Q, F> {
  read(context: Context<A, undefined, z.output<Q>>, found: F): Promise<Answer>
}

export interface StreamSpec<A extends Guarded, Q extends z.ZodType> extends RouteSpec<A, Q> {
  /** Checks what is asked for, and answers with what then sends; `lastEventId` is where a client that comes back stopped. */
  stream(
    context: Context<A, undefined, z.output<Q>>,
    lastEventId: string | undefined,
  ): Promise<(stream: EventStream) => Promise<void>>
}

export interface ChangeSpec<A extends Guarded, B extends z.ZodType, P, F> extends RouteSpec<A, z.ZodType, F> {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body: B
  /** Asks others (the identity store) what the change needs to know, before its transaction opens and holds locks. */
  prepare?(context: Context<A, z.output<B>>, found: F): Promise<P>
  /** Runs in one transaction, which commits when it answers and rolls back when it throws. */
  change(context: Context<A, z.output<B>>, tx: Tx, prepared: P, found: F): Promise<Answer>
}
