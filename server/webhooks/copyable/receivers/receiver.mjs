// Receives webhooks of Parley and verifies their signature. Needs only Node 18 or newer:
//   WEBHOOK_SECRET='…' PORT=3000 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secret = process.env.WEBHOOK_SECRET
if (!secret) throw new Error('Set WEBHOOK_SECRET. Without it, anyone could send events.')
const LIMIT = 1024 * 1024

// Uses the raw bytes, never a re-serialised object. The second header is sent while the secret is rotated, so that a
// receiver with the old secret continues to work.
function isGenuine(body, headers) {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'))
  return ['x-service-signature', 'x-service-signature-previous'].some((name) => {
    const given = Buffer.from(String(headers[name] ?? ''))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

async function receive(request, response) {
  const parts = []
  let size = 0
  for await (const part of request) {
    size += part.length
    if (size > LIMIT) return response.writeHead(413).end()
    parts.push(part)
  }
  const body = Buffer.concat(parts)
  if (!isGenuine(body, request.headers)) return response.writeHead(401).end()
  // Respond first, process afterwards. An event can arrive twice: store event.id to detect it.
  response.writeHead(204).end()
  const event = JSON.parse(body.toString('utf8'))
  console.log(event.type, event.id, JSON.stringify(event.data))
}

const server = createServer((request, response) => {
  // A sender that disconnects early must not crash the receiver.
  receive(request, response).catch(() => response.destroy())
})

server.listen(Number(process.env.PORT ?? 3000), () =>
  console.log(`listening on port ${server.address().port}`),
)
