import { Readable } from 'node:stream'
import { Server } from '@tus/server'
import type { FastifyRequest } from 'fastify'
import { invalidInput } from '../../api/problems.ts'
import type { HttpResponse } from '../../api/response.ts'
import type { Slots } from '../../api/shared-limits/slots.ts'
import { createUploadLocks } from './upload-locks.ts'
import type { UploadSession } from './upload-session.ts'
import type { UploadStore } from './upload-store.ts'

export const MAX_UPLOAD_BYTES = 2 * 1024 ** 3

/** Headers of the response to every OPTIONS request. */
export const TUS_OFFER = {
  'tus-resumable': '1.0.0',
  'tus-version': '1.0.0',
  'tus-extension': 'creation,creation-with-upload,creation-defer-length,termination,expiration',
  'tus-max-size': String(MAX_UPLOAD_BYTES),
}

/** The headers that pages of other origins need. */
export const RECORDING_CORS = {
  exposed:
    'x-conversation-id, tus-extension, tus-max-size, tus-resumable, tus-version, upload-defer-length, upload-expires, upload-length, upload-metadata, upload-offset',
  allowed: 'x-recorded-at, tus-resumable, upload-defer-length, upload-length, upload-metadata, upload-offset',
  options: TUS_OFFER,
}

type Session = Pick<UploadSession, 'key' | 'url' | 'checkMetadata'>

/** How long a request that another one replaces can still write. */
const DRAIN_MS = 200

/** Speaks the protocol. Errors of our own code are thrown; errors of the protocol are responses. */
export function createTus(
  store: UploadStore,
  slots: Slots,
): (request: FastifyRequest, session: Session) => Promise<HttpResponse> {
  const sessions = new WeakMap<Request, Session>()
  const failures = new WeakMap<Request, unknown>()
  const sessionOf = (request: Request) => sessions.get(request) as Session
  const locks = createUploadLocks(slots)
  const server = new Server({
    path: '/api',
    datastore: store,
    maxSize: MAX_UPLOAD_BYTES,
    locker: (request) => locks(request.method === 'HEAD'),
    lockDrainTimeout: DRAIN_MS,
    disableTerminationForFinishedUploads: true,
    namingFunction: (request) => sessionOf(request).key,
    getFileIdFromRequest: (request) => sessionOf(request).key,
    generateUrl: (request) => sessionOf(request).url,
    onUploadCreate: async (request, upload) => {
      sessionOf(request).checkMetadata(upload.metadata)
      return {}
    },
    onResponseError: (request, error) => {
      if (!('status_code' in error)) failures.set(request, error)
      return undefined
    },
  })
  return async (request, session) => {
    refuseConcatenation(request)
    const webRequest = toWebRequest(request)
    sessions.set(webRequest, session)
    const response = await server.handleWeb(webRequest)
    if (failures.has(webRequest)) throw failures.get(webRequest)
    return toHttpResponse(response)
  }
}

/** Digests of the body. Uploads do not check them: `TUS_OFFER` does not list the `checksum` extension. */
const DIGESTS = ['Upload-Checksum', 'Content-Digest', 'Repr-Digest']

/** A client that sends a digest relies on the check, so an error is better than ignoring it. */
export function requireNoDigest({ method, headers }: FastifyRequest): void {
  if (method !== 'POST' && method !== 'PATCH') return
  const named = DIGESTS.find((header) => headers[header.toLowerCase()] !== undefined)
  if (named !== undefined)
    throw invalidInput({ path: named, message: 'is not supported for uploads. Remove the header.' })
}

/** The tus server would return 501, but the client is wrong: OPTIONS does not list the extension. */
function refuseConcatenation({ method, headers }: FastifyRequest): void {
  if (method === 'POST' && headers['upload-concat'] !== undefined)
    throw invalidInput({
      path: 'Upload-Concat',
      message: 'is not supported. Turn off parallel uploads in the tus client.',
    })
}

/** The headers of the protocol; the tus server does not get tokens and cookies. */
const HEADERS = [
  'content-length',
  'content-type',
  'tus-resumable',
  'upload-defer-length',
  'upload-length',
  'upload-metadata',
  'upload-offset',
]

function toWebRequest({ method, url, headers, body }: FastifyRequest): Request {
  const sent = HEADERS.flatMap((name): [string, string][] => {
    const value = headers[name]
    return value === undefined ? [] : [[name, String(value)]]
  })
  const content = body instanceof Readable ? { body: Readable.toWeb(body), duplex: 'half' as const } : {}
  return new Request(new URL(url, 'http://localhost'), { method, headers: sent, ...content })
}

async function toHttpResponse(response: Response): Promise<HttpResponse> {
  // The service sets CORS headers and the content length itself.
  const headers = [...response.headers].filter(([name]) => !/^(access-control-|content-length$)/.test(name))
  const body = await response.text()
  return { status: response.status, headers: Object.fromEntries(headers), ...(body && { body }) }
}
