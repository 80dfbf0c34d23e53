import { once } from 'node:events'
import { Agent, type IncomingMessage, request as startRequest } from 'node:http'
import { text as readText } from 'node:stream/consumers'

export interface Reply {
  status: number
  headers: Headers
  // Tests read responses of many shapes; their assertions are the types.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any
  text: string
}

const agent = new Agent({ keepAlive: true })

/**
 * Sends one request; an object becomes a JSON body, a string or bytes are sent unchanged. `fetch` takes three times as long. A compressed
 * response, which only a header of the test asks for, stays compressed.
 */
export async function request(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array
  const payload = isRaw ? body : JSON.stringify(body)
  const outgoing = startRequest(url, {
    agent,
    method,
    headers: {
      ...(!isRaw && { 'content-type': 'application/json' }),
      ...(payload !== undefined && { 'content-length': Buffer.byteLength(payload) }),
      ...headers,
    },
  })
  const responding = once(outgoing, 'response')
  outgoing.end(payload)
  const [response] = (await responding) as [IncomingMessage]
  // The server can close the connection after its response, while the body is still being sent.
  outgoing.on('error', () => {})
  return new ReceivedReply(response, await readText(response))
}

/** Its headers and body take time to build, and most tests read only one of them. */
export class ReceivedReply implements Reply {
  readonly status: number
  readonly text: string
  readonly #lines: NodeJS.Dict<string[]>
  #headers: Headers | undefined
  #body: { parsed: unknown } | undefined

  constructor({ statusCode = 0, headersDistinct }: IncomingMessage, text: string) {
    this.status = statusCode
    this.text = text
    this.#lines = headersDistinct
  }

  get headers(): Headers {
    this.#headers ??= new Headers(
      Object.entries(this.#lines).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      ),
    )
    return this.#headers
  }

  // biome-ignore lint/suspicious/noExplicitAny: see Reply
  get body(): any {
    this.#body ??= { parsed: parseJson(this.text) }
    return this.#body.parsed
  }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
