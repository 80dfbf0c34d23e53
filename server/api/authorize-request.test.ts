import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { newId } from '../../platform/ids.ts'
import { createAddressLimit } from '../../platform/limits/address-limit.ts'
import { createRateLimit } from '../../platform/limits/rate-limit.ts'
import type { ParticipantConversation } from '../auth/participant-token.ts'
import { type AuthorizationOptions, authorizeRequest } from './authorize-request.ts'
import { Problem } from './problems.ts'

const clock = { now: () => 0 }
const limit = (perMinute: number) => createRateLimit({ perMinute, clock })

/** Returns the code of the error that a participant's request gets, or `passes`. */
function participantRequests(
  perMinute: Partial<Record<'address' | 'conversation' | 'project' | 'workspace', number>>,
) {
  const options = {
    limits: {
      participantsPerAddress: createAddressLimit({ perMinute: perMinute.address ?? 1_000, clock }),
      perConversation: limit(perMinute.conversation ?? 1_000),
      perProject: limit(perMinute.project ?? 1_000),
      perWorkspace: limit(perMinute.workspace ?? 1_000),
    },
    verifyParticipantToken: async (id: string, token: unknown) => {
      if (typeof token !== 'string') throw new Problem('not_found')
      return { id, ...(JSON.parse(token) as object) } as ParticipantConversation
    },
  } as unknown as AuthorizationOptions
  return (kind: 'public' | 'participant', request: Partial<FastifyRequest>) =>
    authorizeRequest(
      { ip: '192.0.2.1', params: {}, headers: {}, rateLimit: null, ...request } as FastifyRequest,
      { kind },
      options,
    ).then(
      () => 'passes',
      (error: unknown) => (error instanceof Problem ? error.code : error),
    )
}

test('participants in one IPv6 /64, and one IPv4 address in every spelling, share a limit', async () => {
  for (const kind of ['public', 'participant'] as const) {
    const send = participantRequests({ address: 2 })
    const before = kind === 'public' ? 'passes' : 'not_found'
    for (const addresses of [
      ['2a00:1::1', '2a00:1::2', '2a00:1::3'],
      ['198.51.100.7', '::ffff:198.51.100.7', '::ffff:c633:6407'],
    ]) {
      const codes = []
      for (const ip of addresses) codes.push(await send(kind, { ip }))
      assert.deepEqual(codes, [before, before, 'rate_limited'])
    }
  }
})

test('the conversations of a project, and those of a workspace, share a limit', async () => {
  const send = participantRequests({ conversation: 2, project: 3, workspace: 5 })
  const [workspace, project, sibling] = [newId(), newId(), newId()]
  const spendIn = (project_id: string, cid: string, workspace_id = workspace) =>
    send('participant', {
      params: { cid },
      headers: { 'x-participant-token': JSON.stringify({ project_id, workspace_id }) },
    })
  const [one, two] = [newId(), newId()]
  const outcomes: unknown[] = []
  for (const cid of [one, one, one, two, two]) outcomes.push(await spendIn(project, cid))
  assert.deepEqual(outcomes, ['passes', 'passes', 'rate_limited', 'passes', 'rate_limited'])
  const others: unknown[] = []
  for (const cid of [newId(), newId(), newId()]) others.push(await spendIn(sibling, cid))
  assert.deepEqual(others, ['passes', 'passes', 'rate_limited'])
  assert.equal(await spendIn(newId(), newId(), newId()), 'passes')
})
