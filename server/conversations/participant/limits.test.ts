import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { request, startBackend, type TestBackend } from '../../../test/support/backend.ts'
import { newConversation, newPortal, type Portal } from '../../../test/support/conversations.ts'
import { ownClock } from '../../../test/support/own-clock.ts'

const clock = ownClock()
let backend: TestBackend
let portal: Portal
let own: Portal
before(async () => {
  backend = await startBackend({ rateLimits: { perUser: 1_000, failuresPerAddress: 1_000 }, clock })
  // Both are made now: the clock stands still, and a token made later would be ahead of it.
  portal = await newPortal(backend)
  own = await newPortal(backend)
})
after(() => backend.stop())

/** The same id, with other letters in upper case for each `n`. */
const spelt = (id: string, n: number): string =>
  Array.from(id, (sign, index) => ((n >> (index % 8)) & 1 ? sign.toUpperCase() : sign)).join('')

test('limits the requests of one conversation in every spelling of its id, and no other conversation', async () => {
  const [eager, other] = [await newConversation(portal), await newConversation(portal)]
  const ask = ({ token }: typeof eager, id: string) =>
    request(`${backend.url}/api/participant/conversations/${id}`, 'GET', undefined, {
      'x-participant-token': token,
    })
  const statuses = new Map<number, number>()
  for (let n = 0; n < 250; n += 50) {
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) => ask(eager, spelt(eager.id, n + index))),
    )
    for (const { status } of replies) statuses.set(status, (statuses.get(status) ?? 0) + 1)
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

test('limits the starts in one project in every spelling of its id', async () => {
  // Starts in a closed project count, too, and take less time.
  await own.owner.send('PATCH', `/api/v2/projects/${own.projectId}`, { is_open: false })
  const start = (n: number) =>
    request(`${backend.url}/api/participant/projects/${spelt(own.projectId, n)}/conversations`, 'POST', {})
  let refused = 0
  for (let n = 0; n < 1_210; n += 55) {
    const replies = await Promise.all(Array.from({ length: 55 }, (_, index) => start(n + index)))
    refused += replies.filter(({ status }) => status === 429).length
  }
  assert.equal(refused, 10)
})
