import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A model server that discards each request and responds immediately. */
const transcription = JSON.stringify({
  text: 'hello',
  language: 'english',
  segments: [{ start: 0, end: 0.5, text: 'hello' }],
})
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(transcription))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
