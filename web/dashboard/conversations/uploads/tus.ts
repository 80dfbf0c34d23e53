import { ApiProblem } from '../../api/problem.ts'
import { expireSession } from '../../session/expired.ts'

/** Bytes of one request. A lost connection loses at most this. */
const CHUNK_BYTES = 8 * 1024 * 1024
const RETRIES_MS = [1_000, 2_000, 5_000, 10_000, 30_000]

export interface Transfer {
  file: File
  /** The collection of uploads. */
  collection: string
  metadata: Record<string, string>
  /** The address of an earlier attempt; null for a new upload. */
  address: string | null
  onAddress(address: string): void
  onProgress(bytes: number): void
  /** It waits for the network or the server; false when it continues. */
  onWaiting(isWaiting: boolean): void
  signal: AbortSignal
}

/**
 * Sends a file by tus 1.0 and returns the id of its conversation. Continues after lost connections and restarts of the server, for as
 * long as it takes. Rejects with an `ApiProblem` where another attempt would not help. The protocol is three requests.
 */
export async function transfer(given: Transfer): Promise<string> {
  let { address } = given
  for (let failures = 0; ; ) {
    try {
      address = (await proceed({ ...given, address })).address
      return idOf(address)
    } catch (error) {
      given.signal.throwIfAborted()
      if (error instanceof NewAddress) address = error.address
      else if (error instanceof ApiProblem && !isTemporary(error)) {
        // An upload expires after a day; the file is then sent from its beginning.
        if (address === null || ![403, 404, 410].includes(error.status)) throw error
        address = null
      } else {
        if (error instanceof ApiProblem && error.status === 401) expireSession()
        given.onWaiting(true)
        await pause(RETRIES_MS[failures] ?? 30_000, given.signal)
        failures = Math.min(failures + 1, RETRIES_MS.length)
        continue
      }
      failures = 0
    }
  }
}

/** The upload has begun: its address is known also if the rest fails. */
class NewAddress extends Error {
  readonly address: string

  constructor(address: string) {
    super()
    this.address = address
  }
}

/** The server says so, is busy, or holds another offset than we thought. A problem of the API itself, such as a full quota, stays. */
const isTemporary = ({ status, code }: ApiProblem): boolean =>
  status === 401 ||
  (status === 409 && code === 'unknown') ||
  status === 423 ||
  status === 429 ||
  status >= 500

/** The last part of the address of an upload is the id of its conversation. */
const idOf = (address: string): string => address.split('/').at(-1) ?? ''

async function proceed(given: Transfer): Promise<{ address: string }> {
  const { file, address, onProgress, onWaiting, signal } = given
  if (address === null) {
    const created = await create(given)
    given.onAddress(created)
    throw new NewAddress(created)
  }
  let offset = await offsetOf(address, signal)
  onWaiting(false)
  onProgress(offset)
  while (offset < file.size) {
    const part = file.slice(offset, offset + CHUNK_BYTES)
    offset = await send(address, offset, part, onProgress, signal)
    onProgress(offset)
  }
  return { address }
}

async function create({ collection, file, metadata, signal }: Transfer): Promise<string> {
  const response = await fetch(collection, {
    method: 'POST',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': String(file.size),
      'upload-metadata': Object.entries(metadata)
        .map(([name, value]) => `${name} ${toBase64(value)}`)
        .join(),
    },
    signal,
  })
  const address = response.headers.get('location')
  if (!response.ok || address === null) throw await problemOf(response)
  return new URL(address, location.href).pathname
}

async function offsetOf(address: string, signal: AbortSignal): Promise<number> {
  const response = await fetch(address, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' }, signal })
  if (!response.ok) throw new ApiProblem(response, undefined)
  return Number(response.headers.get('upload-offset'))
}

async function problemOf(response: Response): Promise<ApiProblem> {
  const body: unknown = await response.json().catch(() => undefined)
  return new ApiProblem(response, body as ConstructorParameters<typeof ApiProblem>[1])
}

/** Not by `fetch`, which does not report how much of a request was sent. Returns the new offset. */
function send(
  address: string,
  offset: number,
  part: Blob,
  onSent: (bytes: number) => void,
  signal: AbortSignal,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const request = new XMLHttpRequest()
  request.open('PATCH', address)
  request.setRequestHeader('tus-resumable', '1.0.0')
  request.setRequestHeader('upload-offset', String(offset))
  request.setRequestHeader('content-type', 'application/offset+octet-stream')
  request.upload.addEventListener('progress', ({ loaded }) => onSent(offset + Math.min(loaded, part.size)))
  request.addEventListener('load', () => {
    if (request.status === 204) return resolve(Number(request.getResponseHeader('upload-offset')))
    const headers = { 'x-request-id': request.getResponseHeader('x-request-id') ?? '' }
    void problemOf(new Response(request.responseText, { status: request.status, headers })).then(reject)
  })
  request.addEventListener('error', () => reject(new TypeError('The connection was lost.')))
  request.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))
  signal.addEventListener('abort', () => request.abort(), { once: true })
  request.send(part)
  return promise
}

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}

/** Shorter when the browser is online again. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      signal.removeEventListener('abort', abort)
      resolve()
    }
    const abort = () => {
      end()
      reject(new DOMException('', 'AbortError'))
    }
    const timer = setTimeout(end, ms)
    addEventListener('online', end)
    signal.addEventListener('abort', abort)
  })
}
