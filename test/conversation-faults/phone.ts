import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../faults/random.ts'
import { type Ask, askerIn, type Network } from './asking.ts'
import type { Chunk, Recording } from './recording.ts'
import { uploadFile } from './upload.ts'

/** What a participant does in the end. */
export type Ending = 'finish' | 'withdraw'

/** What one phone did, as it remembers. */
export interface Story {
  recording: Recording
  /** In numbered chunks while people speak, or as whole files afterwards. */
  way: 'chunks' | 'files'
  /** What is written besides, in this order. */
  texts: string[]
  ending: Ending
  /** Null until the service has answered. */
  id: string | null
  token: string | null
  isOver: boolean
}

export interface PhoneOptions extends Network {
  projectId: string
  /** Milliseconds between two chunks, on average. */
  paceMs: number
}

const SENT_TWICE = 0.1
const SENT_OTHERWISE = 0.03

/** A phone in a bad network: it sends everything until the service says that it has it, and then finishes or withdraws. */
export async function record(story: Story, options: PhoneOptions): Promise<void> {
  const { random, projectId, paceMs } = options
  const { chunks } = story.recording
  const started = await askerIn(options)('POST', `/projects/${projectId}/conversations`, [201], { json: {} })
  story.id = started.body.id ?? ''
  story.token = started.body.token ?? ''
  const ask = askerIn(options, { 'x-participant-token': story.token })
  const own = `/conversations/${story.id}`
  const texts = [...story.texts]
  for (const seq of orderOf(story, random)) {
    await pause(random.between(0, 2 * paceMs))
    if (story.way === 'files') await sendFile(ask, own, chunks[seq] as Chunk, random)
    else await sendChunk(ask, `${own}/chunks/${seq}`, chunks[seq] as Chunk, random)
    const text = texts.shift()
    if (text !== undefined) await write(ask, own, text)
  }
  if (story.ending === 'withdraw') await ask('DELETE', own, [204, 404])
  else await ask('POST', `${own}/finish`, [202], { json: { chunks: chunks.length } })
  story.isOver = true
}

/** Files come one after the other; of chunks, neighbours change places now and then. */
function orderOf({ recording, way }: Story, random: Random): number[] {
  const order = recording.chunks.map((_, seq) => seq)
  if (way === 'files') return order
  for (let at = 1; at < order.length; at++)
    if (random.happens(0.1)) [order[at - 1], order[at]] = [order[at] as number, order[at - 1] as number]
  return order
}

async function sendChunk(ask: Ask, path: string, { bytes }: Chunk, random: Random): Promise<void> {
  const put = (content: Buffer, wanted: number[]) =>
    ask('PUT', path, wanted, { bytes: content, headers: { 'content-type': 'audio/wav' } })
  await put(bytes, [200, 201])
  if (random.happens(SENT_TWICE)) await put(bytes, [200])
  if (random.happens(SENT_OTHERWISE)) await put(Buffer.concat([bytes, Buffer.alloc(32)]), [409])
}

/** Sent again, it is still one file. */
async function sendFile(ask: Ask, own: string, { bytes }: Chunk, random: Random): Promise<void> {
  for (let times = random.happens(SENT_TWICE) ? 2 : 1; times > 0; times--)
    await uploadFile(ask, `${own}/uploads`, bytes, random)
}

async function write(ask: Ask, own: string, content: string): Promise<void> {
  await ask('POST', `${own}/text`, [201], {
    json: { content },
    headers: { 'idempotency-key': randomUUID() },
  })
}
