import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { AddressLimit } from '../../../platform/address-limit.ts'
import type { RateLimit } from '../../../platform/rate-limit.ts'
import { fastifySchemaOf, type HeaderName, type Operation, operationOf } from '../../api/openapi/index.ts'
import { Problem, type ProblemCode } from '../../api/problems.ts'
import { spend } from '../../api/rate-limit-headers.ts'
import type { Answer } from '../../api/response.ts'
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
  /** Counts the request against a further limit. */
  spend(limit: RateLimit | undefined, key: string): void
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
  /** Errors beyond those that follow from the path and the body. */
  problems?: ProblemCode[]
  /** Request headers beyond those that follow from the method. */
  headers?: HeaderName[]
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
  const perAddress = async (request: FastifyRequest) => spend(request, limits?.perAddress, request.ip)
  const register = <B extends z.ZodType>(
    spec: Spec<B>,
    onRequest: (request: FastifyRequest) => Promise<void>,
    handle: (request: FastifyRequest) => Promise<Answer>,
  ) => {
    const operation = describe(spec)
    return (spec.takesAudio ? takingAudio : app).route({
      method: operation.method,
      url: operation.url,
      config: { access: { kind: 'public' }, operation },
      schema: fastifySchemaOf(operation),
      onRequest,
      handler: async (request, reply) => {
        const { status, headers, body } = await handle(request)
        return reply.code(status).headers(headers).send(body)
      },
    })
  }

  return {
    open: (spec) => register(spec, perAddress, (request) => spec.handle(requestOf(request))),
    ofConversation: (spec) =>
      register(
        spec,
        async (request) => {
          await perAddress(request)
          const { cid } = request.params as { cid: string }
          request.conversation = await admit(cid, request.headers['x-participant-token'])
          spendFor(request, limits, request.conversation)
        },
        (request) => spec.handle(requestOf(request), request.conversation as AdmittedConversation),
      ),
  }
}

/** By the rows' own ids: the same one can be spelt in many ways. */
export function spendFor(
  request: Pick<FastifyRequest, 'rateLimit'>,
  limits: ParticipantLimits | null,
  conversation: AdmittedConversation,
): void {
  spend(request, limits?.perConversation, conversation.id)
  spend(request, limits?.perProject, conversation.project_id)
  spend(request, limits?.perWorkspace, conversation.workspace_id)
}

const requestOf = <B>(request: FastifyRequest): ParticipantRequest<B> => ({
  params: request.params as Record<string, string>,
  body: request.body as B,
  headers: request.headers,
  requestId: request.id,
  spend: (limit, key) => spend(request, limit, key),
})

const AUDIO = {
  mediaTypes: ['audio/*'],
  required: true,
  description:
    'The bytes of the chunk: WebM, MP4, Ogg, WAV, MP3, FLAC or another audio format, at most 25 MiB.',
}

const describe = (spec: Spec<z.ZodType>): Operation =>
  operationOf({
    method: spec.method,
    url: `/api/participant${spec.url}`,
    id: spec.id,
    summary: spec.summary,
    tag: 'Participants',
    security: spec.url.includes(':cid') ? 'participant' : 'none',
    ...(spec.takesAudio ? { body: AUDIO } : {}),
    ...(spec.body ? { body: spec.body } : {}),
    responses: spec.answers,
    problems: spec.problems ?? [],
    ...(spec.headers ? { requestHeaders: spec.headers } : {}),
  })
