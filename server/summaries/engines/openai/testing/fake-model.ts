import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import {
  createModelServer,
  type ModelServer,
  type ModelServerOptions,
} from '../../../../engines/openai/client.ts'

export interface Asked {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  /** The body of a chat request. */
  json(): { messages: { role: string; content: string }[] } & Record<string, unknown>
  form(): Promise<FormData>
}

export type ModelHandler = (response: ServerResponse, asked: Asked) => unknown

/** A server on a free port that sends the responses of a test. */
export interface FakeModel {
  /** Its base address. */
  url: string
  asked: Asked[]
  /** Requests to verify claims, which are not in `asked`. */
  verified: Asked[]
  /** The response to these. The default supports every claim. */
  verify: ModelHandler
  /** The response to requests to compare claims with their lines, which are in `verified`, too. The default finds no difference. */
  compare: ModelHandler
  /** One after the other; the last one stays. */
  handlers: ModelHandler[]
  /** A client of it, without retries unless the options say otherwise. */
  client(options?: Partial<ModelServerOptions>): ModelServer
  close(): Promise<void>
}

/** Starts a server that is closed after the test. */
export async function start(t: TestContext, ...handlers: ModelHandler[]): Promise<FakeModel> {
  const fake = await startFakeModel(...handlers)
  t.after(() => fake.close())
  return fake
}

export async function startFakeModel(...handlers: ModelHandler[]): Promise<FakeModel> {
  const clients: ModelServer[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const asked = toAsked(request.url ?? '', request.headers, Buffer.concat(parts))
      if (isVerification(asked)) {
        fake.verified.push(asked)
        return void (isComparison(asked) ? fake.compare : fake.verify)(response, asked)
      }
      fake.asked.push(asked)
      const handler = fake.handlers.length > 1 ? fake.handlers.shift() : fake.handlers[0]
      void handler?.(response, asked)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const fake: FakeModel = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: [],
    verified: [],
    verify: (response, asked) =>
      reply({ checks: claimsIn(asked).map(({ label }) => ({ label, decision: 'support' })) })(
        response,
        asked,
      ),
    compare: (response, asked) =>
      reply({
        comparisons: claimsIn(asked).map(({ label, lines }) => ({
          label,
          words: lines.join(' '),
          difference: 'none',
        })),
      })(response, asked),
    handlers,
    client(options = {}) {
      const client = createModelServer({ baseUrl: fake.url, key: 'the-key', attempts: 1, ...options })
      clients.push(client)
      return client
    },
    async close() {
      for (const client of clients) await client.close()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return fake
}

const isVerification = (asked: Asked): boolean =>
  isComparison(asked) ||
  (asked.path.endsWith('/chat/completions') && asked.body.includes(String.raw`{\"checks\": [{\"label\"`))

const isComparison = ({ path, body }: Asked): boolean =>
  path.endsWith('/chat/completions') && body.includes(String.raw`{\"comparisons\": [{\"label\"`)

export interface AskedClaim {
  label: string
  text: string
  /** The lines that it cites. */
  lines: string[]
}

/** The claims of a request to verify them. */
export function claimsIn(asked: Asked): AskedClaim[] {
  const claims: AskedClaim[] = []
  for (const line of (asked.json().messages[1]?.content ?? '').split('\n')) {
    const [, label, text] = /^\[([ch]\d+)\] (.*)$/.exec(line) ?? []
    if (label !== undefined && text !== undefined) claims.push({ label, text, lines: [] })
    else if (line.startsWith('> ')) claims.at(-1)?.lines.push(line.slice(2))
  }
  return claims
}

const toAsked = (path: string, headers: IncomingHttpHeaders, body: Buffer): Asked => ({
  path,
  headers,
  body,
  json: () => JSON.parse(body.toString()) as ReturnType<Asked['json']>,
  form: () =>
    new Response(new Uint8Array(body), {
      headers: { 'content-type': headers['content-type'] ?? '' },
    }).formData(),
})

export const say =
  (status: number, body: unknown, headers: Record<string, string> = {}): ModelHandler =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body))

/** The response to a chat with this content. */
export const reply = (content: unknown, more: Record<string, unknown> = {}): ModelHandler =>
  say(200, {
    choices: [
      {
        finish_reason: 'stop',
        message: { content: typeof content === 'string' ? content : JSON.stringify(content) },
        ...more,
      },
    ],
  })

export const refuse = (message: string, code: string | null = null): ModelHandler =>
  say(400, { error: { message, type: 'invalid_request_error', code } })
