// Receives webhooks of Parley and checks their signature. Needs Node 18 or newer, and nothing else:
//   WEBHOOK_SECRET='…' PORT=3000 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secret = process.env.WEBHOOK_SECRET ?? ''

// Over the raw bytes as they came, never over a re-serialised object.
function isGenuine(body, signature) {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'))
  const given = Buffer.from(String(signature ?? ''))
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const server = createServer(async (request, response) => {
  const parts = []
  for await (const part of request) parts.push(part)
  const body = Buffer.concat(parts)
  if (!isGenuine(body, request.headers['x-service-signature'])) {
    response.writeHead(401).end()
    return
  }
  // Answer at once, work afterwards. The same event may come twice: remember event.id.
  response.writeHead(204).end()
  const event = JSON.parse(body.toString('utf8'))
  console.log(event.type, event.id, JSON.stringify(event.data))
})

server.listen(Number(process.env.PORT ?? 3000), () =>
  console.log(`listening on port ${server.address().port}`),
)
