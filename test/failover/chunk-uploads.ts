import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sendRequest } from '../chaos/framework/api-client.ts'
import { wavHead } from '../support/wav.ts'

/** A chunk that the service confirmed. Times are milliseconds since 1970. */
export interface ConfirmedChunk {
  conversationId: string
  seq: number
  digest: string
  at: number
}

/** Uploads chunks through the participant API, each until the service confirms it, and keeps what it confirmed. */
export interface ChunkUploads {
  confirmed: ConfirmedChunk[]
  /** How often each status came. */
  statuses: Map<number, number>
  wrongResponses: string[]
  /** Conversations that the service had confirmed, and did not know any more. */
  unknown: Set<string>
  stop(): Promise<void>
}

const UPLOADERS = 4
const EVERY_MS = 50
const RETRY_MS = 100
/** Longer than the service may take to return 503. */
const TIMEOUT_MS = 15_000
const RATE = 16_000
const CHUNKS_PER_CONVERSATION = 40

/** `closesConnections`: a balancer or an API that stops can close a connection in the middle of a request. */
export function startChunkUploads(
  apiUrl: () => string | undefined,
  projectId: string,
  closesConnections = false,
): ChunkUploads {
  const confirmed: ConfirmedChunk[] = []
  const statuses = new Map<number, number>()
  const wrongResponses: string[] = []
  const unknown = new Set<string>()
  let isStopping = false

  /** Retries 503, which must name a time. Null after a response that must not come, and when the uploads stop. */
  async function send(
    method: string,
    path: string,
    expected: number[],
    request: Parameters<typeof sendRequest>[2],
  ) {
    while (!isStopping) {
      const { status, headers, body } = await sendRequest(
        method,
        `${apiUrl()}/api/participant${path}`,
        request,
        TIMEOUT_MS,
      )
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (expected.includes(status)) return body ?? {}
      const isTemporary =
        (status === 503 && headers.has('retry-after')) || (status === 0 && closesConnections)
      if (!isTemporary) {
        wrongResponses.push(
          `${method} ${path.replace(/[0-9a-f-]{36}/g, '…')}: ${status} ${JSON.stringify(body)}`,
        )
        return null
      }
      await pause(RETRY_MS)
    }
    return null
  }

  async function record(): Promise<void> {
    const started = await send('POST', `/projects/${projectId}/conversations`, [201], { json: {} })
    if (!started) return
    const headers = { 'x-participant-token': started.token, 'content-type': 'audio/wav' }
    for (let seq = 0; seq < CHUNKS_PER_CONVERSATION && !isStopping && !unknown.has(started.id); seq++) {
      const bytes = newChunk(started.id, seq)
      const path = `/conversations/${started.id}/chunks/${seq}`
      const stored = await send('PUT', path, [200, 201, 404], { bytes, headers })
      if (stored?.code === 'not_found') unknown.add(started.id)
      else if (stored)
        confirmed.push({ conversationId: started.id, seq, digest: hash('sha256', bytes), at: Date.now() })
      await pause(EVERY_MS)
    }
  }

  const running = Promise.all(
    Array.from({ length: UPLOADERS }, async () => {
      while (!isStopping) {
        await record()
        await pause(EVERY_MS)
      }
    }),
  )
  return {
    confirmed,
    statuses,
    wrongResponses,
    unknown,
    stop: async () => {
      isStopping = true
      await running
    },
  }
}

/** A tenth of a second of sound that no other chunk has. */
function newChunk(conversationId: string, seq: number): Buffer {
  const samples = Buffer.alloc(RATE / 5)
  const seed = hash('sha256', `${conversationId}/${seq}`, 'buffer')
  for (let at = 0; at < samples.length; at++) samples[at] = seed[at % seed.length] as number
  return Buffer.concat([wavHead({ rate: RATE, bits: 16, dataBytes: samples.length }), samples])
}
