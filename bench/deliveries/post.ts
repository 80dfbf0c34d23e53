import { createHmac } from 'node:crypto'
import { Pool } from 'undici'

const CONNECTIONS = 8

/** A post as a queue stores it. */
export interface Post {
  id: string
  webhook: number
  body: string
}

/** Every post has the same body of 1 KiB. */
export const BODY = JSON.stringify({ type: 'conversation.finished', data: 'x'.repeat(982) })

export function postsOf(count: number, webhooks: number): Post[] {
  return Array.from({ length: count }, (_, n) => ({ id: `bench-${n}`, webhook: n % webhooks, body: BODY }))
}

const SECRET = 'bench-secret-of-32-bytes-exactly'
const TIMESTAMP = '1700000000'

/** Both signatures that Parley's own posts carry. */
interface Signatures {
  service: string
  standard: string
}

export const sign = (id: string, body: string): Signatures => ({
  service: createHmac('sha256', SECRET).update(body).digest('hex'),
  standard: createHmac('sha256', SECRET).update(`${id}.${TIMESTAMP}.${body}`).digest('base64'),
})

/** Sends a post and discards the response; each webhook has its own connections, as in Parley. */
export function createSender(addresses: string[]) {
  const targets = addresses.map((address) => {
    const { origin, pathname } = new URL(address)
    return { pool: new Pool(origin, { connections: CONNECTIONS, pipelining: 1 }), path: pathname }
  })
  return async (
    webhook: number,
    id: string,
    body: string | Buffer,
    signatures: Signatures,
  ): Promise<void> => {
    const target = targets[webhook % targets.length]
    if (!target) throw new Error('there are no webhooks')
    const response = await target.pool.request({
      method: 'POST',
      path: target.path,
      headers: headersOf(id, signatures),
      body,
    })
    await response.body.dump()
    if (response.statusCode !== 200) throw new Error(`the receiver responded with ${response.statusCode}`)
  }
}

/** Headers of the same number and length as Parley's own. */
function headersOf(id: string, { service, standard }: Signatures): string[] {
  return [
    'content-type',
    'application/json',
    'user-agent',
    'Parley/0.1.0',
    'x-service-event',
    'conversation.finished',
    'x-service-delivery',
    id,
    'x-service-attempt',
    '1',
    'x-service-signature',
    service,
    'webhook-id',
    id,
    'webhook-timestamp',
    TIMESTAMP,
    'webhook-signature',
    `v1,${standard}`,
  ]
}
