import { request } from 'node:http'

/** Header lines exactly as they go out: in this order, with repetitions, and none of the client's own making but Host. */
export type HeaderLines = readonly (readonly [name: string, value: string])[]

export interface WireReply {
  status: number
  headers: NodeJS.Dict<string | string[]>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of many shapes; their assertions are the types
  body: any
}

/** One request with the header lines of the test: `fetch` can't send a header twice and adds some by itself. */
export function sendLines(
  url: string,
  method: string,
  path: string,
  lines: HeaderLines,
  body?: unknown,
): Promise<WireReply> {
  const { hostname, port, host } = new URL(url)
  const payload = body === undefined ? '' : JSON.stringify(body)
  const own: HeaderLines = [
    ['Host', host],
    ...(payload === ''
      ? []
      : ([
          ['Content-Type', 'application/json'],
          ['Content-Length', String(Buffer.byteLength(payload))],
        ] as const)),
  ]
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers: [...own, ...lines].flat() }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('error', reject)
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString()
        const { statusCode: status = 0, headers } = answer
        resolve({ status, headers, text, body: parseJson(text) })
      })
    })
    sent.on('error', reject)
    sent.end(payload)
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
