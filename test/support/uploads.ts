import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { type ClientRequest, request as open } from 'node:http'
import { basename, join } from 'node:path'
import { type Reply, request, type TestBackend } from './backend.ts'
import { until } from './webhooks.ts'

const OFFSET_STREAM = 'application/offset+octet-stream'

/** A tus client for the uploads of a conversation or a project. */
export interface TusClient {
  begin(length: number | 'deferred', metadata?: Record<string, string>, headers?: Headers): Promise<Reply>
  /** With all bytes in the first request. */
  beginWith(bytes: Uint8Array): Promise<Reply>
  head(location: string): Promise<Reply>
  patch(location: string, offset: number, bytes: Uint8Array, headers?: Headers): Promise<Reply>
  end(location: string): Promise<Reply>
  /** In two requests; returns the response to the second. */
  upload(bytes: Uint8Array, metadata?: Record<string, string>): Promise<{ location: string; reply: Reply }>
  /** A PATCH in progress: it announces all bytes and sends some. */
  startPatch(location: string, offset: number, bytes: Uint8Array, some: number): ClientRequest
}

type Headers = Record<string, string>

export function tusClient(backendUrl: string, path: string, credential: Headers): TusClient {
  const send = (method: string, location: string, headers: Headers, body?: Uint8Array) =>
    request(`${backendUrl}${location}`, method, body, {
      'tus-resumable': '1.0.0',
      ...credential,
      ...headers,
    })
  const client: TusClient = {
    begin: (length, metadata = {}, headers = {}) =>
      send('POST', path, {
        ...(length === 'deferred' ? { 'upload-defer-length': '1' } : { 'upload-length': String(length) }),
        ...(Object.keys(metadata).length > 0 ? { 'upload-metadata': encode(metadata) } : {}),
        ...headers,
      }),
    beginWith: (bytes) =>
      send('POST', path, { 'upload-length': String(bytes.length), 'content-type': OFFSET_STREAM }, bytes),
    head: (location) => send('HEAD', location, {}),
    patch: (location, offset, bytes, headers = {}) =>
      send(
        'PATCH',
        location,
        { 'content-type': OFFSET_STREAM, 'upload-offset': String(offset), ...headers },
        bytes,
      ),
    end: (location) => send('DELETE', location, {}),
    async upload(bytes, metadata) {
      const location = locationOf(await client.begin(bytes.length, metadata))
      const half = Math.floor(bytes.length / 2)
      await client.patch(location, 0, bytes.subarray(0, half))
      return { location, reply: await client.patch(location, half, bytes.subarray(half)) }
    },
    startPatch(location, offset, bytes, some) {
      const sending = open(`${backendUrl}${location}`, {
        method: 'PATCH',
        headers: {
          'tus-resumable': '1.0.0',
          'content-type': OFFSET_STREAM,
          'content-length': bytes.length,
          'upload-offset': offset,
          ...credential,
        },
      })
      sending.write(bytes.subarray(0, some))
      return sending
    },
  }
  return client
}

const encode = (metadata: Record<string, string>): string =>
  Object.entries(metadata)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',')

export function locationOf({ status, headers, text }: Reply): string {
  const location = headers.get('location')
  if (status !== 201 || location === null) throw new Error(`The upload did not start: ${status} ${text}`)
  return location
}

/** The file of an unfinished upload. */
export const fileOf = (
  { filesFolder }: Pick<TestBackend, 'filesFolder'>,
  owner: string,
  location: string,
): string => join(filesFolder, 'uploads', owner, basename(location))

export const untilSize = (path: string, bytes: number): Promise<number> =>
  until(
    async () => (await stat(path)).size,
    (size) => size >= bytes,
  )

export async function statusOf(sending: ClientRequest): Promise<number> {
  const [response] = await once(sending, 'response')
  response.resume()
  return response.statusCode as number
}
