import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type Random, seeded } from '../faults/random.ts'
import { CALM_DOWN, MISBEHAVIOURS, type Misbehaviour, type ModelOptions } from './misbehaviour.ts'
import { hear, RATE } from './recording.ts'

/** Longer than anybody likes to wait, and still within a run. */
const HANG_MS = 6_000

/** A process of its own: a server of models that hears what recordings say, and now and then lets its callers down. */
async function serve({ port, seed, isCalm }: ModelOptions): Promise<void> {
  const random = seeded(`${seed}/${process.pid}`)
  let isGood = isCalm
  process.on(CALM_DOWN, () => {
    isGood = true
  })
  const server = createServer((request, response) => {
    void answer(request, response, isGood ? null : draw(random)).catch(() => response.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  process.on('SIGTERM', () => process.exit(0))
  process.stdout.write('listening\n')
}

function draw(random: Random): Misbehaviour | null {
  let left = random.next()
  for (const [name, chance] of Object.entries(MISBEHAVIOURS)) {
    left -= chance
    if (left < 0) return name as Misbehaviour
  }
  return null
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  instead: Misbehaviour | null,
): Promise<void> {
  const body = await bodyOf(request)
  const good = request.url?.endsWith('/chat/completions') ? summarize(body) : await transcribe(request, body)
  if (instead === null) return send(response, 200, good)
  process.stdout.write(`did: ${instead}\n`)
  await misbehave(response, instead, good)
}

async function misbehave(response: ServerResponse, how: Misbehaviour, good: string): Promise<void> {
  switch (how) {
    case 'hang':
      await pause(HANG_MS)
      return void response.destroy()
    case 'garbage':
      return send(response, 200, good.slice(0, good.length / 2))
    case 'ask for patience':
      return send(response, 429, '{"error":{"message":"slower"}}', { 'retry-after': '1' })
    case 'fail':
      return send(response, 500, 'oops')
    case 'break off': {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': good.length })
      return void response.write(good.slice(0, good.length / 2), () => response.destroy())
    }
    default:
      return how satisfies never
  }
}

const send = (response: ServerResponse, status: number, body: string, headers = {}): void =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

async function transcribe({ headers }: IncomingMessage, body: Buffer): Promise<string> {
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': headers['content-type'] ?? '' },
  }).formData()
  const wav = Buffer.from(await (form.get('file') as File).arrayBuffer())
  const samples = wav.subarray(wav.indexOf('data') + 8)
  const segments = hear(samples)
  const text = segments.map((line) => line.text).join(' ')
  return JSON.stringify({ text, language: 'english', duration: samples.length / 2 / RATE, segments })
}

/** The first line that was said is the title and the only point. The answer fits every question: summary, notes, report. */
function summarize(body: Buffer): string {
  const { messages } = JSON.parse(body.toString()) as { messages: { content: string }[] }
  const line = /(Talk|Note) \S+ [^.]*\./.exec(messages.at(-1)?.content ?? '')?.[0] ?? ''
  const claim = { text: line, sources: ['s1'] }
  const content = JSON.stringify({
    title: line,
    points: [claim],
    tags: [],
    notes: [claim],
    quotations: [claim],
    introduction: claim,
    sections: [{ heading: line, paragraphs: [claim], quotations: ['q1'] }],
  })
  return JSON.stringify({ choices: [{ finish_reason: 'stop', message: { content } }] })
}

await serve(JSON.parse(process.env['MODEL'] ?? '') as ModelOptions)
