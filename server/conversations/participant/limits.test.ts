import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAddressLimit } from '../../../platform/address-limit.ts'
import { newId } from '../../../platform/ids.ts'
import { createRateLimit } from '../../../platform/rate-limit.ts'
import { request, startBackend, type TestBackend } from '../../../test/support/backend.ts'
import { newConversation, newPortal, type Portal } from '../../../test/support/conversations.ts'
import { ownClock } from '../../../test/support/own-clock.ts'
import { Problem } from '../../api/problems.ts'
import { type ParticipantLimits, spendFor } from './participant-routes.ts'

const clock = ownClock()
let backend: TestBackend
let portal: Portal
let own: Portal
before(async () => {
  backend = await startBackend({ rateLimits: { perUser: 1_000, failuresPerAddress: 1_000 }, clock })
  // Both now: the clock stands still, and a token that is made later would come from its future.
  portal = await newPortal(backend)
  own = await newPortal(backend)
})
after(() => backend.stop())

/** The same id, spelt in another way each time. */
const spelt = (id: string, n: number): string =>
  Array.from(id, (sign, place) => ((n >> (place % 8)) & 1 ? sign.toUpperCase() : sign)).join('')

test('a conversation may ask so often, however its id is spelt, and holds up no other', async () => {
  const [eager, other] = [await newConversation(portal), await newConversation(portal)]
  const ask = ({ token }: typeof eager, id: string) =>
    request(`${backend.url}/api/participant/conversations/${id}`, 'GET', undefined, {
      'x-participant-token': token,
    })
  const statuses = new Map<number, number>()
  for (let n = 0; n < 250; n++) {
    const { status } = await ask(eager, spelt(eager.id, n))
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  assert.deepEqual([...statuses].toSorted(), [
    [200, 240],
    [429, 10],
  ])
  const refused = await ask(eager, eager.id)
  assert.deepEqual([refused.body.code, refused.headers.get('retry-after')], ['rate_limited', '1'])
  assert.equal((await ask(other, other.id)).status, 200)
  clock.advance(1)
  assert.equal((await ask(eager, eager.id)).status, 200)
})

test('a project and a workspace share what their conversations may do', () => {
  const limit = (perMinute: number) => createRateLimit({ perMinute, clock })
  const limits: ParticipantLimits = {
    perAddress: createAddressLimit({ perMinute: 1_000, clock }),
    perConversation: limit(2),
    perProject: limit(3),
    perWorkspace: limit(5),
    startsPerProject: limit(1_000),
  }
  const [workspace_id, project, sibling, elsewhere] = [newId(), newId(), newId(), newId()]
  const spendIn = (project_id: string, id: string, workspace = workspace_id) => {
    const row = { status: 'recording' as const, started_at: '', bytes: 0, token_digest: null }
    try {
      spendFor({ rateLimit: null }, limits, { ...row, id, project_id, workspace_id: workspace })
      return 'passes'
    } catch (error) {
      assert.ok(error instanceof Problem)
      return error.code
    }
  }
  const [one, two] = [newId(), newId()]
  assert.deepEqual(
    [spendIn(project, one), spendIn(project, one), spendIn(project, one)],
    ['passes', 'passes', 'rate_limited'],
    'a conversation',
  )
  assert.deepEqual([spendIn(project, two), spendIn(project, two)], ['passes', 'rate_limited'], 'its project')
  const others = [newId(), newId(), newId()].map((id) => spendIn(sibling, id))
  assert.deepEqual(others, ['passes', 'passes', 'rate_limited'], 'its workspace')
  assert.equal(spendIn(elsewhere, newId(), newId()), 'passes')
})

test('conversations of a project are started so often, however its id is spelt', async () => {
  const start = (n: number) =>
    request(`${backend.url}/api/participant/projects/${spelt(own.projectId, n)}/conversations`, 'POST', {})
  let refused = 0
  for (let n = 0; n < 1_210; n += 55) {
    const answers = await Promise.all(Array.from({ length: 55 }, (_, place) => start(n + place)))
    refused += answers.filter(({ status }) => status === 429).length
  }
  assert.equal(refused, 10)
})
