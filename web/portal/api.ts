/** The participant API, as the page uses it. `test/portal/api.test.ts` compares it with the schemas of the server. */

export interface Project {
  id: string
  name: string
  organisation: string | null
  language: string
  languages: string[]
  is_open: boolean
  title: string | null
  description: string | null
  finish_text: string | null
  ask_name: boolean
  ask_email: boolean
  tags: string[]
  consent_text: string | null
  privacy_url: string | null
  /** Colours of what can be pressed, and of the text on it. */
  accent_colors: { light: AccentColors; dark: AccentColors } | null
  logo_url: string | null
}

interface AccentColors {
  fill: string
  text: string
}

export interface Answers {
  participant_name?: string
  participant_email?: string
  tags?: string[]
  language?: string
  consent?: boolean
}

/** The response to the start of a conversation. */
export interface Started {
  id: string
  token: string
  code?: string | undefined
  chunk_seconds: number
  withdraw_url: string
}

export interface Progress {
  status: string
  missing: number[]
  transcript_so_far: string
}

/** The server rejected a request, and repeating it does not help. */
export class RequestRejected extends Error {
  readonly status: number
  readonly code: string
  /** The numbers of chunks that the server does not have, if it rejected the request for that. */
  readonly missing: number[]

  constructor(status: number, code: string, missing: number[] = []) {
    super(`${status} ${code}`)
    this.status = status
    this.code = code
    this.missing = missing
  }
}

/** The server was not reached, or asked to try again later. */
export class Unreachable extends Error {
  readonly retryAfterMs: number

  constructor(retryAfterMs = 0) {
    super('The server did not respond.')
    this.retryAfterMs = retryAfterMs
  }
}

/** A slow phone sends a chunk in well under this time; a connection that hangs is given up. */
const TIMEOUT_MS = 60_000
const RETRYABLE = new Set([408, 425, 429])

const root = '/api/participant'

async function call(method: string, path: string, init: RequestInit = {}): Promise<Response> {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), TIMEOUT_MS)
  const abort = () => over.abort()
  init.signal?.addEventListener('abort', abort)
  const response = await fetch(`${root}${path}`, { cache: 'no-store', ...init, method, signal: over.signal })
    .catch(() => {
      throw new Unreachable()
    })
    .finally(() => {
      clearTimeout(timer)
      // The signal lives as long as the recording, and the listener would keep the audio of this request with it.
      init.signal?.removeEventListener('abort', abort)
    })
  if (response.ok) return response
  if (response.status >= 500 || RETRYABLE.has(response.status))
    throw new Unreachable(Number(response.headers.get('retry-after') ?? 0) * 1_000)
  const problem = (await response.json().catch(() => ({}))) as { code?: string; missing?: number[] }
  throw new RequestRejected(response.status, problem.code ?? 'unknown', problem.missing)
}

/** Reads the response to its end, so that the connection can be used again. */
async function send(method: string, path: string, init: RequestInit): Promise<void> {
  const response = await call(method, path, init)
  await response.arrayBuffer().catch(() => {})
}

/** A request whose headers can be added to. */
type Init = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> }

const json = (body: unknown): Init => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

/** A connection that breaks within the response counts as not reached. */
async function bodyOf<T>(response: Response): Promise<T> {
  try {
    return (await response.json()) as T
  } catch {
    throw new Unreachable()
  }
}

export const readProject = async (id: string): Promise<Project> =>
  bodyOf(await call('GET', `/projects/${encodeURIComponent(id)}`))

/** Repeating it with the same key returns the same conversation. */
export const startConversation = async (projectId: string, answers: Answers, key: string): Promise<Started> =>
  bodyOf(
    await call('POST', `/projects/${projectId}/conversations`, {
      body: JSON.stringify(answers),
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
    }),
  )

export type Credentials = Pick<Started, 'id' | 'token'>

const as = ({ token }: Credentials, init: Init = {}): Init => ({
  ...init,
  headers: { ...init.headers, 'x-participant-token': token },
})

export async function sendChunk(
  by: Credentials,
  seq: number,
  audio: Blob,
  recordedAt: Date,
  signal: AbortSignal,
): Promise<void> {
  const headers = { 'content-type': audio.type || 'audio/webm', 'x-recorded-at': recordedAt.toISOString() }
  await send('PUT', `/conversations/${by.id}/chunks/${seq}`, as(by, { body: audio, headers, signal }))
}

export async function sendText(by: Credentials, content: string, key: string): Promise<void> {
  const { headers, ...init } = json({ content })
  await send(
    'POST',
    `/conversations/${by.id}/text`,
    as(by, { ...init, headers: { ...headers, 'idempotency-key': key } }),
  )
}

export async function sendHeartbeat(by: Credentials, paused: boolean): Promise<void> {
  await send('POST', `/conversations/${by.id}/heartbeat`, as(by, json({ paused })))
}

/** With only the last characters of the transcript. */
export const readProgress = async (by: Credentials): Promise<Progress> =>
  bodyOf(await call('GET', `/conversations/${by.id}?tail=600`, as(by)))

/**
 * Resolves with the numbers of chunks that have not arrived; empty when the conversation is finished. With `acceptsMissing` it is
 * finished without them, and they are gaps.
 */
export async function finishConversation(
  by: Credentials,
  chunks: number,
  tags?: string[],
  acceptsMissing = false,
): Promise<number[]> {
  try {
    const body = { chunks, ...(tags && { tags }), ...(acceptsMissing && { accept_missing: true }) }
    await send('POST', `/conversations/${by.id}/finish`, as(by, json(body)))
    return []
  } catch (error) {
    if (error instanceof RequestRejected && error.code === 'chunks_missing') return error.missing
    throw error
  }
}

export async function withdraw(by: Credentials): Promise<void> {
  await send('DELETE', `/conversations/${by.id}`, as(by))
}
