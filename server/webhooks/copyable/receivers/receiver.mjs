// Receives webhooks of Parley and checks their signature. Needs Node 18 or newer, and nothing else:
//   WEBHOOK_SECRET='…' PORT=3000 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secret = process.env.WEBHOOK_SECRET
if (!secret) throw new Error('set WEBHOOK_SECRET: without it anybody could send')
const LIMIT = 1024 * 1024

// Over the raw bytes as they came, never over a re-serialised object. The second header is there while a secret is
// being replaced: a receiver that still has the old one goes on working.
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
  // Answer at once, work afterwards. The same event may come twice: remember event.id.
  response.writeHead(204).end()
  const event = JSON.parse(body.toString('utf8'))
  console.log(event.type, event.id, JSON.stringify(event.data))
}

const server = createServer((request, response) => {
  // A sender that hangs up half-way must not end the receiver.
  receive(request, response).catch(() => response.destroy())
})

server.listen(Number(process.env.PORT ?? 3000), () =>
  console.log(`listening on port ${server.address().port}`),
)
