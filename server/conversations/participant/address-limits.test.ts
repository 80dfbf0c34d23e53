import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { createAddressLimit } from '../../../platform/address-limit.ts'
import { createLog } from '../../../platform/log.ts'
import { createMetrics } from '../../../platform/metrics.ts'
import { createRateLimit } from '../../../platform/rate-limit.ts'
import { request } from '../../../test/support/backend.ts'
import { createHttp } from '../../api/http-server.ts'
import { Problem } from '../../api/problems.ts'
import type { UploadStore } from '../uploads/upload-store.ts'
import { participantVisits, type UploadParts } from '../uploads/visit.ts'
import { createParticipantRoutes, type ParticipantLimits } from './participant-routes.ts'

const clock = { now: () => 0 }

/** The product's limit of 6,000 a minute, made small enough for a test. */
function smallLimits(): ParticipantLimits {
  const loose = () => createRateLimit({ perMinute: 1_000, clock })
  return {
    perAddress: createAddressLimit({ perMinute: 2, clock }),
    perConversation: loose(),
    perProject: loose(),
    perWorkspace: loose(),
    startsPerProject: loose(),
  }
}
const unknownConversation = async () => {
  throw new Problem('not_found')
}

const app = createHttp({ log: createLog('silent'), metrics: createMetrics(), trustedProxies: ['127.0.0.1'] })
let url: string
before(async () => {
  const routes = await createParticipantRoutes(app, unknownConversation, smallLimits())
  routes.open({
    id: 'probe',
    summary: 'Says that the request was let through',
    method: 'GET',
    url: '/probe',
    answers: {},
    handle: async () => ({ status: 204, headers: {}, body: undefined }),
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/participant/probe`
})
after(() => app.close())

const SAME_NETWORK = ['2a00:1::1', '2a00:1::2', '2a00:1::3']
const SAME_IPV4 = ['198.51.100.7', '::ffff:198.51.100.7', '::ffff:c633:6407']

test('participants of one IPv6 /64, and one IPv4 address in every spelling, share a limit', async () => {
  for (const addresses of [SAME_NETWORK, SAME_IPV4]) {
    const statuses = []
    for (const address of addresses)
      statuses.push((await request(url, 'GET', undefined, { 'x-forwarded-for': address })).status)
    assert.deepEqual(statuses, [204, 204, 429])
  }
})

test('uploads are limited by the same keys', async () => {
  const parts = { limits: smallLimits(), admitParticipant: unknownConversation } as unknown as UploadParts
  const visit = participantVisits(parts, {} as UploadStore)
  for (const addresses of [SAME_NETWORK, SAME_IPV4]) {
    const codes = []
    for (const ip of addresses)
      codes.push(
        await visit({ ip, params: { cid: 'any' }, headers: {} } as unknown as FastifyRequest).then(
          () => 'admitted',
          (error: unknown) => error instanceof Problem && error.code,
        ),
      )
    assert.deepEqual(codes, ['not_found', 'not_found', 'rate_limited'])
  }
})
