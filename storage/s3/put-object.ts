import { webcrypto } from 'node:crypto'
import { FileExists } from '../file-store.ts'
import type { S3Client, S3Request } from './client.ts'
import { S3Error } from './s3-error.ts'
import { escapeXml, textOf } from './xml.ts'

/** The SHA-256 of an object, in hex. */
const DIGEST_HEADER = 'x-amz-meta-sha256'
/** The parts of larger files are sent, and retried, one by one. The smallest part that S3 allows is 5 MiB. */
export const PART_BYTES = 8 * 1024 * 1024
const PARALLEL_PARTS = 3

/** In Node's thread pool: SHA-256 of large bodies would block the event loop. */
export const sha256 = async (bytes: Uint8Array<ArrayBuffer>): Promise<Buffer> =>
  Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes))

type ReadPart = (offset: number, length: number) => Promise<Buffer<ArrayBuffer>>

interface Put {
  key: string
  /** SHA-256 of the whole file, in hex. */
  digest: string
  replace: boolean
}

/** Stores an object in one request. */
export async function putObject(client: S3Client, put: Put, body: Buffer): Promise<void> {
  const { key, digest, replace } = put
  const headers = { ...onlyIfNew(replace), [DIGEST_HEADER]: digest }
  const response = await client.send({ method: 'PUT', key, body, digest, headers, accepts: [412] })
  await response.body.dump()
  if (response.statusCode === 412) await requireSame(client, put)
}

/** So that two processes never replace each other’s file. */
const onlyIfNew = (replace: boolean): Record<string, string> => (replace ? {} : { 'if-none-match': '*' })

/** An earlier attempt of this request can have stored the object, although its response was lost. */
async function requireSame(client: S3Client, { key, digest }: Put): Promise<void> {
  const { statusCode, headers, body } = await client.send({ method: 'HEAD', key, accepts: [404] })
  await body.dump()
  if (statusCode === 404 || headers[DIGEST_HEADER] !== digest)
    throw new FileExists('A different file is already stored under this key.')
}

/**
 * Stores a large object in parts. An upload that fails is aborted; one that a killed process leaves behind is removed by
 * `removeAbandoned`.
 */
export async function putInParts(
  client: S3Client,
  put: Put,
  bytes: number,
  readPart: ReadPart,
): Promise<void> {
  const { key, digest } = put
  const headers = { [DIGEST_HEADER]: digest }
  const created = await client.text({ method: 'POST', key, query: { uploads: '' }, headers })
  const uploadId = textOf(created, 'UploadId')
  try {
    const tags = await sendParts(client, { key, uploadId }, bytes, readPart)
    await complete(client, put, uploadId, tags)
  } catch (error) {
    await abortUpload(client, key, uploadId).catch(() => {})
    throw error
  }
}

export async function abortUpload(client: S3Client, key: string, uploadId: string): Promise<void> {
  const { body } = await client.send({ method: 'DELETE', key, query: { uploadId }, accepts: [404] })
  await body.dump()
}

async function sendParts(
  client: S3Client,
  { key, uploadId }: { key: string; uploadId: string },
  bytes: number,
  readPart: ReadPart,
): Promise<string[]> {
  const tags: string[] = Array.from({ length: Math.ceil(bytes / PART_BYTES) }, () => '')
  let next = 0
  let hasFailed = false
  const sendNext = async (): Promise<void> => {
    while (next < tags.length && !hasFailed) {
      const n = next++
      const body = await readPart(n * PART_BYTES, Math.min(PART_BYTES, bytes - n * PART_BYTES))
      const digest = (await sha256(body)).toString('hex')
      const query = { partNumber: String(n + 1), uploadId }
      const response = await client.send({ method: 'PUT', key, query, body, digest })
      await response.body.dump()
      tags[n] = String(response.headers['etag'])
    }
  }
  const senders = Array.from({ length: PARALLEL_PARTS }, () =>
    sendNext().catch((error: unknown) => {
      hasFailed = true
      throw error
    }),
  )
  // All of them, so that no part is sent after the upload was aborted.
  const results = await Promise.allSettled(senders)
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return tags
}

async function complete(client: S3Client, put: Put, uploadId: string, tags: string[]): Promise<void> {
  const parts = tags.map(
    (tag, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
  )
  const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
  const headers = onlyIfNew(put.replace)
  const query = { uploadId }
  const request: S3Request = { method: 'POST', key: put.key, query, headers, body, accepts: [412, 404] }
  for (let attempts = 1; ; attempts++) {
    const response = await client.send(request)
    const text = await response.body.text().catch(() => '<Code>InternalError</Code>')
    // 412: the key is taken. 404: an earlier attempt has completed the upload, although its response was lost.
    if (response.statusCode >= 400) {
      await abortUpload(client, put.key, uploadId).catch(() => {})
      return requireSame(client, put)
    }
    // The server responds before it has joined the parts, so that an error can follow the status 200.
    const code = textOf(text, 'Code')
    if (code === '') return
    if (attempts === COMPLETE_ATTEMPTS) throw new S3Error(request, response.statusCode, code)
  }
}

const COMPLETE_ATTEMPTS = 3
