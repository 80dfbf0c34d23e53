import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type ApiRequest, type ApiResponse, sendRequest } from '../framework/api-client.ts'
import type { Random } from '../framework/random.ts'
import type { Waits } from '../framework/waits.ts'
import type { Chunk, Recording } from './recording.ts'

/** The data that one participant sends, and the parts that the service confirmed. */
export interface Session {
  recording: Recording
  /** As numbered chunks during the recording, or as whole files afterwards. */
  upload: 'chunks' | 'files'
  /** In the order in which they are sent. */
  texts: string[]
  ending: 'finish' | 'withdraw'
  /** Null until the service has responded. */
  id: string | null
  token: string | null
  isOver: boolean
}

/** How participants reach the API, and what they got from it. */
export interface Network {
  url(): string | undefined
  random: Random
  waits: Waits
  /** How often each status came, with the code of the problem; 0: no response. */
  statuses: Map<string, number>
  wrongResponses: string[]
}

const SENT_TWICE = 0.1
const SENT_WITH_OTHER_BYTES = 0.03
/** How often an upload request carries only a part of the remaining bytes. */
const PARTIAL_UPLOAD = 0.6
const TUS = { 'tus-resumable': '1.0.0' }

/** Sends everything until the service confirms it, then finishes the conversation or withdraws. `paceMs`: between chunks, on average. */
export async function runSession(
  session: Session,
  network: Network,
  projectId: string,
  paceMs: number,
): Promise<void> {
  const { random } = network
  const { chunks } = session.recording
  const { body } = await createSender(network)('POST', `/projects/${projectId}/conversations`, [201], {
    json: {},
  })
  session.id = body?.id ?? ''
  session.token = body?.token ?? ''
  const send = createSender(network, { 'x-participant-token': session.token ?? '' })
  const path = `/conversations/${session.id}`
  const texts = [...session.texts]
  for (const seq of uploadOrder(session, random)) {
    await pause(random.between(0, 2 * paceMs))
    const chunk = chunks[seq] as Chunk
    if (session.upload === 'files') await sendFile(send, `${path}/uploads`, chunk, random)
    else await sendChunk(send, `${path}/chunks/${seq}`, chunk, random)
    const content = texts.shift()
    if (content !== undefined)
      await send('POST', `${path}/text`, [201], {
        json: { content },
        headers: { 'idempotency-key': randomUUID() },
      })
  }
  if (session.ending === 'withdraw') await send('DELETE', path, [204, 404])
  else await send('POST', `${path}/finish`, [202], { json: { chunks: chunks.length } })
  session.isOver = true
}

/** Files are sent in order; neighbouring chunks sometimes change places. */
function uploadOrder({ recording, upload }: Session, random: Random): number[] {
  const order = recording.chunks.map((_, seq) => seq)
  if (upload === 'files') return order
  for (let at = 1; at < order.length; at++)
    if (random.chance(0.1)) [order[at - 1], order[at]] = [order[at] as number, order[at - 1] as number]
  return order
}

async function sendChunk(send: Send, path: string, { bytes }: Chunk, random: Random): Promise<void> {
  const put = (content: Buffer, expected: number[]) =>
    send('PUT', path, expected, { bytes: content, headers: { 'content-type': 'audio/wav' } })
  await put(bytes, [200, 201])
  if (random.chance(SENT_TWICE)) await put(bytes, [200])
  if (random.chance(SENT_WITH_OTHER_BYTES)) await put(Buffer.concat([bytes, Buffer.alloc(32)]), [409])
}

/** A file that is sent twice is still one file. */
async function sendFile(send: Send, uploads: string, { bytes }: Chunk, random: Random): Promise<void> {
  for (let times = random.chance(SENT_TWICE) ? 2 : 1; times > 0; times--)
    await uploadFile(send, uploads, bytes, random)
}

/** By tus: asks for the offset, and continues from there until the conversation has the file. */
async function uploadFile(send: Send, uploads: string, file: Buffer, random: Random): Promise<void> {
  const created = await send('POST', uploads, [201], {
    headers: { ...TUS, 'upload-length': String(file.length) },
  })
  const upload = `${uploads}/${basename(created.headers.get('location') ?? '')}`
  for (;;) {
    const { status, headers } = await send('HEAD', upload, [200], { headers: TUS })
    if (status !== 200 || headers.has('x-conversation-id')) return
    const offset = headers.get('upload-offset') ?? ''
    const rest = file.subarray(Number(offset))
    const bytes = random.chance(PARTIAL_UPLOAD) ? rest.subarray(0, random.integer(1, rest.length)) : rest
    // 409: an earlier request had stored the bytes, and only its response was lost.
    await send('PATCH', upload, [204, 409], {
      headers: { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': offset },
      bytes,
    })
  }
}

type Send = (method: string, path: string, expected: number[], request?: ApiRequest) => Promise<ApiResponse>

/** Longer than the service needs to notice that a bucket is silent. */
const TIMEOUT_MS = 30_000
/** 423: the process that held the lock on an upload was killed, and its lease has not ended yet. */
const isTemporary = (status: number): boolean =>
  status === 0 || status === 423 || status === 429 || status >= 502

/** Sends requests, and repeats them until the response is not a temporary error. Records unexpected responses. */
function createSender(network: Network, credential: Record<string, string> = {}): Send {
  const { url, random, waits, statuses, wrongResponses } = network

  async function retry(method: string, path: string, expected: number[], request: ApiRequest) {
    for (;;) {
      const response = await sendRequest(method, `${url()}/api/participant${path}`, request, TIMEOUT_MS)
      const { status, body } = response
      const kind = status < 400 || !body?.code ? String(status) : `${status} ${body.code}`
      statuses.set(kind, (statuses.get(kind) ?? 0) + 1)
      if (expected.includes(status)) return response
      if (!isTemporary(status)) {
        const route = path.replace(/[0-9a-f-]{36}/g, '…')
        wrongResponses.push(`${method} ${route}: ${status} ${JSON.stringify(body)}`)
        if (status !== 500) return response
      }
      await pause(random.between(50, 400))
    }
  }

  return (method, path, expected, request = {}) => {
    const headers = { ...credential, ...request.headers }
    return waits.for(
      `a response to ${method} ${path}`,
      retry(method, path, expected, { ...request, headers }),
    )
  }
}
