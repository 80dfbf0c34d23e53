import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { seededRandom } from '../framework/random.ts'
import { MODEL_ERRORS, type ModelError, type ModelOptions } from './model.ts'
import { RATE, transcribeSamples } from './recording.ts'

/** A process that serves models: it reads the text from recordings, and sometimes fails. */
const HANG_MS = 6_000

const options = JSON.parse(process.env['MODEL'] ?? '') as ModelOptions
const random = seededRandom(`${options.seed}/${process.pid}`)
let { isReliable } = options
process.on('SIGUSR2', () => {
  isReliable = true
})
process.on('SIGTERM', () => process.exit(0))
createServer((request, response) => {
  void respond(request, response).catch(() => response.destroy())
}).listen(options.port, '127.0.0.1', () => process.stdout.write('listening\n'))

function drawError(): ModelError | null {
  if (isReliable) return null
  let left = random.next()
  for (const [name, probability] of Object.entries(MODEL_ERRORS)) {
    left -= probability
    if (left < 0) return name as ModelError
  }
  return null
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const error = drawError()
  const body = await buffer(request)
  const good = request.url?.endsWith('/chat/completions') ? summarize(body) : await transcribe(request, body)
  if (error === null) return send(response, 200, good)
  process.stdout.write(`error: ${error}\n`)
  await fail(response, error, good)
}

async function fail(response: ServerResponse, error: ModelError, good: string): Promise<void> {
  const half = good.slice(0, good.length / 2)
  switch (error) {
    case 'hang':
      await pause(HANG_MS)
      return void response.destroy()
    case 'incomplete JSON':
      return send(response, 200, half)
    case 'rate limit':
      return send(response, 429, '{"error":{"message":"slower"}}', { 'retry-after': '1' })
    case 'server error':
      return send(response, 500, 'oops')
    case 'closed connection':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': good.length })
      return void response.write(half, () => response.destroy())
    default:
      return error satisfies never
  }
}

function send(response: ServerResponse, status: number, body: string, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
}

async function transcribe({ headers }: IncomingMessage, body: Buffer): Promise<string> {
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': headers['content-type'] ?? '' },
  }).formData()
  const wav = Buffer.from(await (form.get('file') as File).arrayBuffer())
  const samples = wav.subarray(wav.indexOf('data') + 8)
  const segments = transcribeSamples(samples)
  const text = segments.map((line) => line.text).join(' ')
  return JSON.stringify({ text, language: 'english', duration: samples.length / 2 / RATE, segments })
}

/** The first line is the title and the only point. The result fits every prompt: summary, notes and report. */
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
