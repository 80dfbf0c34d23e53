import type { FastifyRequest } from 'fastify'
import { Problem } from '../../api/problems.ts'
import type { HttpResponse } from '../../api/response.ts'
import type { Router } from '../../api/router.ts'
import type { Slots } from '../../api/shared-limits/slots.ts'
import type { ChunkParts } from '../chunks/put-chunk.ts'
import type { Quota } from '../chunks/storage-quota.ts'
import { OPERATIONS, type UploadOperation } from './operations.ts'
import { createTus, requireNoDigest, TUS_OFFER } from './tus.ts'
import { createUploadQuota } from './upload-quota.ts'
import { HOSTS, hostSession, PARTICIPANTS, participantSession, type UploadSession } from './upload-session.ts'
import { receivedAs, UploadStore } from './upload-store.ts'

const UPLOAD_BODIES = {
  contentType: 'application/offset+octet-stream',
  detail: 'This route accepts only the bytes of a file. Send Content-Type application/offset+octet-stream.',
}

/** Resumable uploads by tus 1.0. */
export async function registerUploads(router: Router, parts: ChunkParts & { slots: Slots }): Promise<void> {
  const store = new UploadStore(parts.files.uploads)
  const serve = createServer(store, parts)
  const requireUpload = async (session: UploadSession, { uid }: Record<string, string>) => {
    if (uid !== undefined && !(await store.has(session.key))) throw new Problem('not_found')
    return session
  }
  await router.rawBodies(UPLOAD_BODIES, ({ handle }) => {
    for (const operation of OPERATIONS) {
      handle({
        ...specOf(operation, PARTICIPANTS),
        find: (context) => requireUpload(participantSession(parts, context), context.params),
        handle: ({ request }, session) => serve(request, session),
      })
      handle({
        ...specOf(operation, HOSTS),
        find: (context) => requireUpload(hostSession(parts, context), context.params),
        handle: ({ request }, session) => serve(request, session),
      })
    }
  })
}

const specOf = <A>(
  { verb, path, ...operation }: UploadOperation,
  { name, url, access }: { name: string; url: string; access: A },
) => ({
  ...operation,
  id: `${verb}${name}Upload`,
  tag: 'Uploads' as const,
  url: `${url}${path}`,
  access,
  headers: { 'tus-resumable': TUS_OFFER['tus-resumable'] },
  closeOnError: true as const,
  respond: (response: HttpResponse) => response,
})

function createServer(store: UploadStore, { quota, slots }: { quota: Quota; slots: Slots }) {
  const tus = createTus(store, slots)
  const finish = createFinisher(store)
  const uploadQuota = createUploadQuota(store.files)

  async function checkQuotas({ method }: FastifyRequest, session: UploadSession): Promise<void> {
    if (method !== 'POST' && method !== 'PATCH') return
    if (method === 'POST') await uploadQuota.requireUploadSlot(session.owner)
    await uploadQuota.checkProject(session.projectId)
    await quota.checkWorkspace(session.projectId, uploadQuota.bytesHeld)
    await session.checkQuota()
  }

  return async (request: FastifyRequest, session: UploadSession): Promise<HttpResponse> => {
    try {
      requireNoDigest(request)
      await checkQuotas(request, session)
      const response = await tus(request, session)
      const { status, headers } = response
      if (status >= 300 || request.method === 'DELETE') return response
      const location = await finish(session)
      if (location === null) return response
      const conversation = { 'x-conversation-id': session.conversationId }
      // The location of a 201 is the upload itself.
      return { ...response, headers: { ...headers, ...conversation, ...(status !== 201 && { location }) } }
    } catch (error) {
      // The tus server throws a plain object when the upload was cancelled during the request.
      throw error instanceof Error ? error : new Problem('not_found')
    }
  }
}

/**
 * Finishes a complete upload: in the request with the last byte or, after a crash, in the HEAD request of a client that resumes.
 * The second of two concurrent requests waits and finds it finished. Returns null for an incomplete upload.
 */
function createFinisher(store: UploadStore): (session: UploadSession) => Promise<string | null> {
  const pending = new Map<string, Promise<string | null>>()
  return (session) => {
    const { key } = session
    const work = () => finishUpload(store, session)
    const first = pending.get(key)
    const mine = first ? first.then(work, work) : work()
    pending.set(key, mine)
    return mine.finally(() => pending.get(key) === mine && pending.delete(key))
  }
}

async function finishUpload(store: UploadStore, { key, receive }: UploadSession): Promise<string | null> {
  const upload = await store.getUpload(key)
  const known = receivedAs(upload)
  if (known !== null) return known
  if (upload.size === undefined || upload.offset < upload.size) return null
  try {
    const address = await receive(upload)
    await store.markReceived(upload, address)
    return address
  } catch (error) {
    // Only a file that is not audio fails for good. Other errors can be retried with the stored bytes.
    if (error instanceof Problem && error.code === 'unsupported_media') await store.remove(key)
    throw error
  }
}
