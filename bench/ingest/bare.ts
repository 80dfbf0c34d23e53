import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** The lower limit of the cost: a server that streams each body to a file, syncs it to disk, and responds. */
const folder = process.argv[2] ?? ''
let last = 0

const server = createServer((request, response) => {
  void store(request).then(() => response.writeHead(201).end())
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)

async function store(request: IncomingMessage): Promise<void> {
  await using file = await open(join(folder, String(++last)), 'wx')
  for await (const part of request) await file.write(part as Buffer)
  await file.datasync()
}
