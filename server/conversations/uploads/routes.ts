import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Access } from '../../access/index.ts'
import { isNoRoom, StorageFull } from '../../kernel/files/file-store.ts'
import { Problem } from '../../kernel/problems.ts'
import { ProblemSchema } from '../../kernel/schema.ts'
import type { Quota } from '../participant/quota.ts'
import { createFinisher } from './finish-upload.ts'
import { createTus, requireNoDigest, TUS_OFFER } from './tus.ts'
import { createUploadRoom } from './upload-room.ts'
import { UploadStore } from './upload-store.ts'
import {
  type AdmittedVisit,
  type AdmitVisit,
  HOSTING,
  hostVisits,
  participantVisits,
  type UploadParts,
} from './visit.ts'

declare module 'fastify' {
  interface FastifyRequest {
    visit: AdmittedVisit | null
  }
}

/** Resumable uploads by tus 1.0, in a scope of their own, so that no other route gets an unread body. */
export async function registerUploads(app: FastifyInstance, parts: UploadParts): Promise<void> {
  const store = new UploadStore(parts.files.uploads)
  const serve = createServer(store, parts.quota)
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/offset+octet-stream', (_request, payload, done) =>
      done(null, payload),
    )
    scope.decorateRequest('visit', null)
    const register = (whose: string, url: string, access: Access, admitVisit: AdmitVisit) => {
      for (const operation of OPERATIONS)
        scope.route({
          method: operation.method,
          url: `${url}${operation.path}`,
          config: { access },
          schema: describe(whose, operation),
          onRequest: async (request, reply) => {
            reply.header('tus-resumable', TUS_OFFER['tus-resumable'])
            request.visit = await admitVisit(request)
            const isThere = operation.method === 'POST' || (await store.has(request.visit.key))
            if (!isThere) throw new Problem('not_found')
          },
          handler: (request, reply) => serve(request, reply, request.visit as AdmittedVisit),
        })
    }
    const participants = participantVisits(parts, store)
    register('Recording', '/api/participant/conversations/:cid/uploads', { kind: 'public' }, participants)
    register('Host', '/api/v2/projects/:pid/uploads', HOSTING, hostVisits(parts, store))
  })
}

const OPERATIONS = [
  {
    verb: 'begin',
    method: 'POST',
    path: '',
    success: 201,
    summary: 'Begin an upload, perhaps with its first bytes',
  },
  { verb: 'find', method: 'HEAD', path: '/:uid', success: 200, summary: 'How much has arrived' },
  { verb: 'continue', method: 'PATCH', path: '/:uid', success: 204, summary: 'Send the next bytes' },
  { verb: 'end', method: 'DELETE', path: '/:uid', success: 204, summary: 'Give an upload up' },
] as const

const DESCRIPTION =
  'Speaks tus 1.0, with its headers and its refusals: any client of it will do. The answer to the last bytes names the conversation in X-Conversation-Id.'

/** Ours as problems; those of tus, and of the package that speaks it, as plain text. */
const REFUSALS = Object.fromEntries(
  [400, 401, 403, 404, 409, 410, 412, 413, 415, 422, 423, 429, 503, 507].map((status) => [
    status,
    {
      description: 'By this service, or by tus',
      content: {
        'application/problem+json': { schema: ProblemSchema },
        'text/plain': { schema: z.string() },
      },
    },
  ]),
)

const describe = (whose: string, { verb, summary, success }: (typeof OPERATIONS)[number]) => ({
  operationId: `${verb}${whose}Upload`,
  summary,
  description: DESCRIPTION,
  tags: ['Uploads'],
  response: { [success]: z.undefined().describe('With the headers of tus 1.0'), ...REFUSALS },
})

function createServer(store: UploadStore, quota: Quota) {
  const tus = createTus(store)
  const finish = createFinisher(store)
  const room = createUploadRoom(store.directory)

  async function requireRoom({ method }: FastifyRequest, visit: AdmittedVisit): Promise<void> {
    if (method !== 'POST' && method !== 'PATCH') return
    if (method === 'POST') await room.requirePlace(visit.owner)
    await room.requireRoom(visit.projectId)
    await quota.requireWorkspaceRoom(visit.projectId, (projects) => room.bytesHeld(projects))
    await visit.requireRoom()
  }

  /** Where the bytes went, once all of them are there. A 201 has the upload's own address as its location. */
  async function outcome({ method }: FastifyRequest, status: number, visit: AdmittedVisit) {
    if (status >= 300 || method === 'DELETE') return {}
    const location = await finish(visit.key, visit.receive)
    if (location === null) return {}
    return { 'x-conversation-id': visit.conversationId, ...(status === 201 ? {} : { location }) }
  }

  return async (request: FastifyRequest, reply: FastifyReply, visit: AdmittedVisit) => {
    try {
      requireNoDigest(request)
      await requireRoom(request, visit)
      const { status, headers, body } = await tus(request, visit)
      const further = await outcome(request, status, visit)
      return reply
        .code(status)
        .headers({ ...headers, ...further })
        .send(body)
    } catch (error) {
      // What the client still sends is not wanted any more.
      reply.header('connection', 'close')
      throw asProblem(error)
    }
  }
}

function asProblem(error: unknown): unknown {
  if (error instanceof StorageFull || isNoRoom(error))
    return new Problem('storage_full', { headers: { 'retry-after': '60' } })
  // As the store says that it was ended meanwhile.
  return error instanceof Error ? error : new Problem('not_found')
}
