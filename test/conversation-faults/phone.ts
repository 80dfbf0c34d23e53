import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../faults/random.ts'
import type { Chunk, Recording } from './recording.ts'

/** What a participant does in the end. */
export type Ending = 'finish' | 'withdraw'

/** What one phone did, as it remembers. */
export interface Story {
  recording: Recording
  ending: Ending
  /** Null until the service has answered. */
  id: string | null
  token: string | null
  isOver: boolean
}

/** What all phones heard. */
export interface Heard {
  /** How often each status was the answer; 0: there was none. */
  statuses: Map<number, number>
  /** Answers that nobody should get. */
  wrong: string[]
}

export interface PhoneOptions {
  url(): string | undefined
  projectId: string
  /** Milliseconds between two chunks, on average. */
  paceMs: number
  random: Random
  heard: Heard
}

interface Reply {
  status: number
  body: { id?: string; token?: string; missing?: number[] }
}

const PATIENCE_MS = 15_000
const SENT_TWICE = 0.1
const SENT_OTHERWISE = 0.03
/** Nothing was said wrongly: try again. */
const isTrouble = (status: number): boolean => status === 0 || status === 429 || status >= 502

/** A phone in a bad network: it sends every chunk until the service says that it has it, and then finishes or withdraws. */
export async function record(story: Story, options: PhoneOptions): Promise<void> {
  const { random, projectId, paceMs } = options
  const { chunks } = story.recording
  const started = await insist(options, 'POST', `/projects/${projectId}/conversations`, [201], { json: {} })
  story.id = started.body.id ?? ''
  story.token = started.body.token ?? ''
  for (const seq of outOfOrder(chunks.length, random)) {
    await pause(random.between(0, 2 * paceMs))
    await sendChunk(story, options, seq, chunks[seq] as Chunk)
  }
  if (story.ending === 'withdraw') await ofConversation(story, options, 'DELETE', '', [204, 404])
  else
    await ofConversation(story, options, 'POST', '/finish', [202], {
      json: { chunks: chunks.length },
    })
  story.isOver = true
}

/** Neighbours change places now and then. */
function outOfOrder(count: number, random: Random): number[] {
  const order = Array.from({ length: count }, (_, seq) => seq)
  for (let at = 1; at < count; at++)
    if (random.happens(0.1)) [order[at - 1], order[at]] = [order[at] as number, order[at - 1] as number]
  return order
}

async function sendChunk(story: Story, options: PhoneOptions, seq: number, { bytes }: Chunk): Promise<void> {
  const path = `/chunks/${seq}`
  await ofConversation(story, options, 'PUT', path, [200, 201], { audio: bytes })
  if (options.random.happens(SENT_TWICE))
    await ofConversation(story, options, 'PUT', path, [200], { audio: bytes })
  if (options.random.happens(SENT_OTHERWISE)) {
    const other = Buffer.concat([bytes, Buffer.alloc(32)])
    await ofConversation(story, options, 'PUT', path, [409], { audio: other })
  }
}

interface Content {
  json?: object
  audio?: Buffer
}

function ofConversation(
  { id, token }: Story,
  options: PhoneOptions,
  method: string,
  path: string,
  wanted: number[],
  content: Content = {},
): Promise<Reply> {
  return insist(options, method, `/conversations/${id}${path}`, wanted, content, token ?? '')
}

/** Asks until there is an answer that is no mere trouble; one that is not wanted is noted, and taken as it is. */
async function insist(
  options: PhoneOptions,
  method: string,
  path: string,
  wanted: number[],
  content: Content = {},
  token = '',
): Promise<Reply> {
  const { heard, random } = options
  for (;;) {
    const reply = await ask(options, method, path, content, token)
    heard.statuses.set(reply.status, (heard.statuses.get(reply.status) ?? 0) + 1)
    if (wanted.includes(reply.status)) return reply
    if (!isTrouble(reply.status)) {
      const place = path.replace(/[0-9a-f-]{36}/g, '…')
      heard.wrong.push(`${method} ${place}: ${reply.status} ${JSON.stringify(reply.body)}`)
      if (reply.status !== 500) return reply
    }
    await pause(random.between(50, 400))
  }
}

async function ask(
  { url }: PhoneOptions,
  method: string,
  path: string,
  { json, audio }: Content,
  token: string,
): Promise<Reply> {
  try {
    const response = await fetch(`${url()}/api/participant${path}`, {
      method,
      headers: {
        ...(token === '' ? {} : { 'x-participant-token': token }),
        ...(audio ? { 'content-type': 'audio/wav' } : {}),
        ...(json ? { 'content-type': 'application/json' } : {}),
      },
      ...(audio ? { body: new Uint8Array(audio) } : {}),
      ...(json ? { body: JSON.stringify(json) } : {}),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Reply['body']) }
  } catch {
    return { status: 0, body: {} }
  }
}
