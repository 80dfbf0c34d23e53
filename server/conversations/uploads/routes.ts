import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isDiskFull, StorageFull } from '../../../storage/file-store.ts'
import { fastifySchemaOf, type Operation, operationOf } from '../../api/openapi/index.ts'
import { Problem, type ProblemCode } from '../../api/problems.ts'
import { accessProblems, describeAccess, type Guarded } from '../../auth/index.ts'
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

/** Who uploads, and where. */
interface Whose {
  name: string
  url: string
  access: Guarded | { kind: 'public' }
}
const PARTICIPANTS: Whose = {
  name: 'Participant',
  url: '/api/participant/conversations/:cid/uploads',
  access: { kind: 'public' },
}
const HOSTS: Whose = { name: 'Host', url: '/api/v2/projects/:pid/uploads', access: HOSTING }

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
    const register = (whose: Whose, admitVisit: AdmitVisit) => {
      for (const operation of OPERATIONS.map((one) => describe(whose, one)))
        scope.route({
          method: operation.method,
          url: operation.url,
          config: { access: whose.access, operation },
          schema: fastifySchemaOf(operation),
          onRequest: async (request, reply) => {
            reply.header('tus-resumable', TUS_OFFER['tus-resumable'])
            request.visit = await admitVisit(request)
            const isThere = operation.method === 'POST' || (await store.has(request.visit.key))
            if (!isThere) throw new Problem('not_found')
          },
          handler: (request, reply) => serve(request, reply, request.visit as AdmittedVisit),
        })
    }
    register(PARTICIPANTS, participantVisits(parts, store))
    register(HOSTS, hostVisits(parts, store))
  })
}

const BYTES = {
  mediaTypes: ['application/offset+octet-stream'],
  required: true,
  description: 'The next bytes of the file.',
}

const OPERATIONS = [
  {
    verb: 'create',
    method: 'POST',
    path: '',
    success: 201,
    summary: 'Start an upload, optionally with its first bytes',
    body: { ...BYTES, required: false, description: 'The first bytes of the file; may be left out.' },
    requestHeaders: ['Tus-Resumable', 'Upload-Length', 'Upload-Defer-Length', 'Upload-Metadata'],
    responseHeaders: ['Location', 'Tus-Resumable', 'Upload-Offset', 'Upload-Expires', 'X-Conversation-Id'],
  },
  {
    verb: 'read',
    method: 'HEAD',
    path: '/:uid',
    success: 200,
    summary: 'How many bytes of an upload have arrived',
    requestHeaders: ['Tus-Resumable'],
    responseHeaders: [
      'Tus-Resumable',
      'Upload-Offset',
      'Upload-Length',
      'Upload-Defer-Length',
      'Upload-Metadata',
      'Upload-Expires',
      'X-Conversation-Id',
      'Location',
    ],
  },
  {
    verb: 'append',
    method: 'PATCH',
    path: '/:uid',
    success: 204,
    summary: 'Send the next bytes of an upload',
    body: BYTES,
    requestHeaders: ['Tus-Resumable', 'Upload-Offset', 'Upload-Length'],
    responseHeaders: ['Tus-Resumable', 'Upload-Offset', 'Upload-Expires', 'X-Conversation-Id', 'Location'],
  },
  {
    verb: 'delete',
    method: 'DELETE',
    path: '/:uid',
    success: 204,
    summary: 'Cancel an upload',
    requestHeaders: ['Tus-Resumable'],
    responseHeaders: ['Tus-Resumable'],
  },
] as const

const DESCRIPTION =
  'Speaks tus 1.0: use any tus client. The response to the last bytes has the conversation in X-Conversation-Id.'

/** Errors of the tus protocol, as the package that speaks it words them. */
const TUS_ERRORS = {
  400: 'Upload-Length or Upload-Defer-Length header required\n',
  403: 'Upload-Offset header required\n',
  404: 'The file for this url was not found\n',
  409: 'Upload-Offset conflict\n',
  410: 'The file for this url no longer exists\n',
  412: 'Tus-Resumable Required\n',
  413: 'Maximum size exceeded\n',
}

const describe = (
  { name, url, access }: Whose,
  {
    verb,
    method,
    path,
    summary,
    success,
    requestHeaders,
    responseHeaders,
    ...rest
  }: (typeof OPERATIONS)[number],
): Operation =>
  operationOf({
    method,
    url: `${url}${path}`,
    id: `${verb}${name}Upload`,
    summary,
    description: access.kind === 'public' ? DESCRIPTION : `${describeAccess(access)} ${DESCRIPTION}`,
    tag: 'Uploads',
    security: access.kind === 'public' ? 'participant' : 'user',
    ...('body' in rest ? { body: rest.body } : {}),
    responses: { [success]: null },
    problems: [
      ...(access.kind === 'public' ? [] : accessProblems(access)),
      ...(method === 'POST' || method === 'PATCH' ? WRITE_PROBLEMS : []),
      ...(method === 'DELETE' ? (['unsupported_media'] as const) : []),
    ],
    plainErrors: TUS_ERRORS,
    requestHeaders: [...requestHeaders],
    responseHeaders: { [success]: [...responseHeaders] },
  })

const WRITE_PROBLEMS: ProblemCode[] = ['limit_reached', 'storage_full', 'invalid_input']

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
  if (error instanceof StorageFull || isDiskFull(error))
    return new Problem('storage_full', { headers: { 'retry-after': '60' } })
  // As the store says that it was ended meanwhile.
  return error instanceof Error ? error : new Problem('not_found')
}
