import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Fault {
  /** Only requests of this method; by default all. */
  method?: string
  /** Only requests whose path and query match. */
  matching?: RegExp
  /** How many requests it affects; by default one. */
  times?: number
  /**
   * `slow-down`: 503 without reaching the server. `lose-response`: the server gets the request, the client loses the connection.
   * `cut-body`: the connection breaks after half of the response. `hang`: no response. `partial`: a removal of several objects
   * reports one of them as failed. `late-error`: the status is 200, and the body is an error.
   */
  kind: 'slow-down' | 'lose-response' | 'cut-body' | 'hang' | 'partial' | 'late-error'
}

export interface FaultProxy extends AsyncDisposable {
  endpoint: string
  inject(fault: Fault): void
  /** `METHOD path?query` of every request. */
  requests: string[]
}

const SLOW_DOWN = '<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>'
const LATE_ERROR =
  '<Error><Code>InternalError</Code><Message>We encountered an internal error.</Message></Error>'

/** Between a client and an S3 server: passes requests on, with faults. The signature stays valid, since the host header is kept. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const faults: Required<Fault>[] = []
  const requests: string[] = []
  const take = ({ method = '', url = '' }: IncomingMessage): Fault['kind'] | null => {
    const fault = faults.find(
      (one) => one.times > 0 && (one.method === '' || one.method === method) && one.matching.test(url),
    )
    if (fault) fault.times -= 1
    return fault?.kind ?? null
  }
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    handle(request, response, target, take(request))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    inject: (fault) => void faults.push({ method: '', matching: /./, times: 1, ...fault }),
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function handle(
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
  kind: Fault['kind'] | null,
): void {
  if (kind === 'hang') return void request.resume()
  if (kind === 'slow-down') {
    request.resume()
    request.once('end', () => response.writeHead(503, { 'content-type': 'application/xml' }).end(SLOW_DOWN))
    return
  }
  const { method, url, headers } = request
  const passed = send(`${target}${url}`, { method, headers })
  passed.on('error', () => response.destroy())
  passed.on('response', (answer) => void respond(answer, response, kind))
  request.pipe(passed)
}

async function respond(
  answer: IncomingMessage,
  response: ServerResponse,
  kind: Fault['kind'] | null,
): Promise<void> {
  const body = Buffer.concat(await answer.toArray())
  const { 'transfer-encoding': _, ...headers } = answer.headers
  if (kind === 'lose-response') return void response.destroy()
  if (kind === 'cut-body') {
    response.writeHead(answer.statusCode ?? 502, { ...headers, 'content-length': body.length })
    response.write(body.subarray(0, body.length / 2), () => response.destroy())
    return
  }
  const other = kind === 'late-error' ? LATE_ERROR : kind === 'partial' ? withFailure(body.toString()) : null
  // A HEAD has the length of a body that does not follow.
  const length = other === null ? {} : { 'content-length': Buffer.byteLength(other) }
  response.writeHead(answer.statusCode ?? 502, { ...headers, ...length }).end(other ?? body)
}

/** The first object is reported as failed. */
const withFailure = (xml: string): string =>
  xml.replace(
    /<Deleted>.*?<Key>(.*?)<\/Key>.*?<\/Deleted>/s,
    '<Error><Key>$1</Key><Code>InternalError</Code></Error>',
  )
