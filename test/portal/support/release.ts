import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { until } from '../../support/webhooks.ts'

/** A server in front of the service whose recording page can be of another version, or be away. */
export async function startReleases(target: string) {
  let version = 1
  let isUp = true
  let isFailing = false
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    if (!isUp) return void request.socket.destroy()
    if (isFailing) return void response.writeHead(502).end('Bad gateway')
    const chunks = await request.toArray()
    const { host: _host, connection: _connection, 'accept-encoding': _encoding, ...headers } = request.headers
    const reply = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    const body = Buffer.from(await reply.arrayBuffer())
    const isPage = reply.headers.get('content-type')?.startsWith('text/html') ?? false
    const marked = body.toString().replace('<html', `<html data-version="${version}"`)
    // The page of another version has another ETag.
    for (const [name, value] of reply.headers)
      if (!['content-length', 'content-encoding', 'transfer-encoding', 'etag'].includes(name))
        response.setHeader(name, value)
    response.writeHead(reply.status).end(isPage ? marked : body)
  }
  const server = createServer((request, response) => void pass(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    release: (next: number) => {
      version = next
    },
    setUp: (next: boolean) => {
      isUp = next
    },
    /** As a proxy responds while the service behind it restarts. */
    setFailing: (next: boolean) => {
      isFailing = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Waits until the page can be opened without the server. */
export const untilSaved = (page: Page): Promise<number> =>
  until(
    () =>
      page.evaluate<number>(
        `caches.open('parley-recording-page').then((cache) => cache.keys()).then((all) => all.length)`,
      ),
    (saved) => saved > 3,
  )
