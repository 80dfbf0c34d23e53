import { Readable } from 'node:stream'
import { Server } from '@tus/server'
import type { FastifyRequest } from 'fastify'
import { invalidInput } from '../../api/problems.ts'
import type { Answer } from '../../api/response.ts'
import type { RawMetadata } from './metadata.ts'
import { createUploadLocks } from './upload-locks.ts'
import type { UploadStore } from './upload-store.ts'

export const MAX_UPLOAD_BYTES = 2 * 1024 ** 3

/** What an OPTIONS request learns, wherever it asks. */
export const TUS_OFFER = {
  'tus-resumable': '1.0.0',
  'tus-version': '1.0.0',
  'tus-extension': 'creation,creation-with-upload,creation-defer-length,termination,expiration',
  'tus-max-size': String(MAX_UPLOAD_BYTES),
}

/** One request of an upload, by somebody who was admitted. */
export interface Visit {
  /** The upload's id in the store. It begins with whose it is, so that another's address names nothing. */
  key: string
  /** The upload's address. */
  url: string
  /** Throws what is wrong with what a client says of a new upload. */
  checkMetadata(metadata: RawMetadata | undefined): void
}

/** How long a request that must make way may still write. */
const DRAIN_MS = 200

/** Speaks the protocol. What goes wrong in our own code is thrown; what the protocol refuses is its answer. */
export function createTus(store: UploadStore): (request: FastifyRequest, visit: Visit) => Promise<Answer> {
  const visits = new WeakMap<Request, Visit>()
  const failures = new WeakMap<Request, unknown>()
  const visitOf = (request: Request) => visits.get(request) as Visit
  const locks = createUploadLocks()
  const server = new Server({
    path: '/api',
    datastore: store,
    maxSize: MAX_UPLOAD_BYTES,
    locker: (request) => locks(request.method === 'HEAD'),
    lockDrainTimeout: DRAIN_MS,
    disableTerminationForFinishedUploads: true,
    namingFunction: (request) => visitOf(request).key,
    getFileIdFromRequest: (request) => visitOf(request).key,
    generateUrl: (request) => visitOf(request).url,
    onUploadCreate: async (request, upload) => {
      visitOf(request).checkMetadata(upload.metadata)
      return {}
    },
    onResponseError: (request, error) => {
      if (!('status_code' in error)) failures.set(request, error)
      return undefined
    },
  })
  return async (request, visit) => {
    refuseConcatenation(request)
    const asked = toWebRequest(request)
    visits.set(asked, visit)
    const response = await server.handleWeb(asked)
    if (failures.has(asked)) throw failures.get(asked)
    return toAnswer(response)
  }
}

/** Digests of what is sent, which uploads do not check: the `checksum` extension is not among those in `TUS_OFFER`. */
const DIGESTS = ['Upload-Checksum', 'Content-Digest', 'Repr-Digest']

/** A client that names a digest relies on its being checked, so that ignoring it would be worse than refusing it. */
export function requireNoDigest({ method, headers }: FastifyRequest): void {
  if (method !== 'POST' && method !== 'PATCH') return
  const named = DIGESTS.find((header) => headers[header.toLowerCase()] !== undefined)
  if (named !== undefined)
    throw invalidInput({ path: named, message: 'is not checked for uploads: leave it out' })
}

/** The package would answer 501, but it is the request that is wrong: the extension is not among those that OPTIONS offers. */
function refuseConcatenation({ method, headers }: FastifyRequest): void {
  if (method === 'POST' && headers['upload-concat'] !== undefined)
    throw invalidInput({
      path: 'Upload-Concat',
      message: 'is not supported: turn parallel uploads off in the tus client',
    })
}

/** All that the protocol is about; tokens and cookies are not. */
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

async function toAnswer(response: Response): Promise<Answer> {
  // Who may read an answer is the service's own matter, and so is how long it is.
  const headers = [...response.headers].filter(([name]) => !/^(access-control-|content-length$)/.test(name))
  const text = await response.text()
  return {
    status: response.status,
    headers: Object.fromEntries(headers),
    ...(text === '' ? {} : { body: text }),
  }
}
