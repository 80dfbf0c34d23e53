import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { refusalsOf } from '../../access/index.ts'
import type { AddressLimit } from '../../kernel/address-limit.ts'
import type { Answer } from '../../kernel/answer.ts'
import { Problem, type ProblemCode } from '../../kernel/problems.ts'
import type { RateLimit } from '../../kernel/rate-limit.ts'
import type { AdmitParticipant, AdmittedConversation } from './admit-participant.ts'

/** What participants may do in a minute. A room of 200 phones shares one address; a conversation has one phone. */
export interface ParticipantLimits {
  perAddress: AddressLimit
  perConversation: RateLimit
  perProject: RateLimit
  perWorkspace: RateLimit
  startsPerProject: RateLimit
}

interface ParticipantRequest<B> {
  params: Record<string, string>
  body: B
  headers: FastifyRequest['headers']
  requestId: string
}

interface Spec<B extends z.ZodType> {
  id: string
  summary: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  /** Absent: none is read. */
  body?: B
  /** The body is handed on as it comes, unread; everything but audio is 415. */
  takesAudio?: true
  answers: Record<number, z.ZodType | null>
  problems?: ProblemCode[]
}

interface PublicSpec<B extends z.ZodType> extends Spec<B> {
  handle(request: ParticipantRequest<z.output<B>>): Promise<Answer>
}

interface TokenSpec<B extends z.ZodType> extends Spec<B> {
  handle(request: ParticipantRequest<z.output<B>>, conversation: AdmittedConversation): Promise<Answer>
}

/** Routes without an account. Those of a conversation ask for its token before they read a body. */
export interface ParticipantRoutes {
  open<B extends z.ZodType>(spec: PublicSpec<B>): void
  ofConversation<B extends z.ZodType>(spec: TokenSpec<B>): void
}

/** A scope of its own for routes that take audio, so that no other route gets an unread body. In an object, since an app is thenable. */
async function audioScope(app: FastifyInstance): Promise<{ scope: FastifyInstance }> {
  const inner = { scope: app }
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(/^audio\//i, (_request, payload, done) => done(null, payload))
    const detail =
      'This call takes audio: send Content-Type audio/webm, audio/mp4, audio/wav or another audio type.'
    scope.addContentTypeParser('*', (_request, _payload, done) =>
      done(new Problem('unsupported_media', { detail })),
    )
    inner.scope = scope
  })
  return inner
}

declare module 'fastify' {
  interface FastifyRequest {
    conversation: AdmittedConversation | null
  }
}

export async function createParticipantRoutes(
  app: FastifyInstance,
  admit: AdmitParticipant,
  limits: ParticipantLimits | null,
): Promise<ParticipantRoutes> {
  app.decorateRequest('conversation', null)
  const { scope: takingAudio } = await audioScope(app)
  const perAddress = async (request: FastifyRequest) => spend(limits?.perAddress, request.ip)
  const register = <B extends z.ZodType>(
    spec: Spec<B>,
    onRequest: (request: FastifyRequest) => Promise<void>,
    handle: (request: FastifyRequest) => Promise<Answer>,
  ) =>
    (spec.takesAudio ? takingAudio : app).route({
      method: spec.method,
      url: `/api/participant${spec.url}`,
      config: { access: { kind: 'public' } },
      schema: describe(spec),
      onRequest,
      handler: async (request, reply) => {
        const { status, headers, body } = await handle(request)
        return reply.code(status).headers(headers).send(body)
      },
    })

  return {
    open: (spec) => register(spec, perAddress, (request) => spec.handle(requestOf(request))),
    ofConversation: (spec) =>
      register(
        spec,
        async (request) => {
          await perAddress(request)
          const { cid } = request.params as { cid: string }
          request.conversation = await admit(cid, request.headers['x-participant-token'])
          spendFor(limits, request.conversation)
        },
        (request) => spec.handle(requestOf(request), request.conversation as AdmittedConversation),
      ),
  }
}

/** By the rows' own ids: the same one can be spelt in many ways. */
export function spendFor(limits: ParticipantLimits | null, conversation: AdmittedConversation): void {
  spend(limits?.perConversation, conversation.id)
  spend(limits?.perProject, conversation.project_id)
  spend(limits?.perWorkspace, conversation.workspace_id)
}

export function spend(limit: RateLimit | undefined, key: string): void {
  const wait = limit?.take(key) ?? 0
  if (wait > 0) throw new Problem('rate_limited', { headers: { 'retry-after': String(wait) } })
}

const requestOf = <B>({ params, body, headers, id }: FastifyRequest): ParticipantRequest<B> => ({
  params: params as Record<string, string>,
  body: body as B,
  headers,
  requestId: id,
})

const TOKEN_HEADER = z.looseObject({
  'x-participant-token': z.string().optional().describe('The token that starting the conversation answered'),
})

function describe({ id, summary, url, body, answers, problems = [] }: Spec<z.ZodType>) {
  const needsToken = url.includes(':cid')
  const always: ProblemCode[] = ['bad_request', 'not_found', 'rate_limited', 'not_ready']
  const codes = [...always, ...(needsToken ? (['participant_token_rejected'] as const) : []), ...problems]
  const names = [...url.matchAll(/:(\w+)/g)].map((match) => match[1] as string)
  return {
    operationId: id,
    summary,
    description: needsToken ? 'For whoever holds the conversation’s token.' : 'For everybody.',
    tags: ['Participants'],
    security: [],
    params: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))),
    ...(needsToken ? { headers: TOKEN_HEADER } : {}),
    ...(body ? { body } : {}),
    response: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [
          status,
          answer ?? z.undefined().describe('No content'),
        ]),
      ),
      ...refusalsOf(codes),
    },
  }
}
