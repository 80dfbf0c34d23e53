import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { after, afterEach, test } from 'node:test'
import { type Caller, newUser, startBackend } from '../../test/support/backend.ts'
import { newMember, newTenant } from '../../test/support/tenants.ts'
import { until } from '../../test/support/webhooks.ts'
import { Problem } from './problems.ts'
import { OPEN_STREAMS, STREAM_TOKENS } from './rate-limits.ts'
import { createSlots } from './shared-limits/slots.ts'
import { createStreamLimits } from './stream-limits.ts'

const backend = await startBackend()
after(() => backend.stop())

const opened: ClientRequest[] = []
const closeAll = () => {
  for (const stream of opened.splice(0)) stream.destroy()
}
afterEach(closeAll)

/**
 * Opens the stream of a project's conversation states and leaves it open. Not with `fetch`, which closes a stream when its response is
 * garbage collected.
 */
async function open(caller: Caller, project: string, on = backend) {
  const request = get(`${on.url}/api/v2/projects/${project}/stream`, {
    headers: { authorization: `Bearer ${caller.token}` },
    agent: false,
  })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const { statusCode: status, headers } = response
  if (status === 200) opened.push(request)
  const body = status === 200 ? null : ((await json(response)) as { code: string; detail: string })
  return { status, body, headers, close: () => request.destroy() }
}

const openMany = (count: number, caller: Caller, project: string) =>
  Promise.all(Array.from({ length: count }, () => open(caller, project)))

test('a user can open 20 streams, also when requests arrive at the same time, and closing one makes room', async () => {
  const tenant = await newTenant(backend)
  const replies = await openMany(40, tenant.owner, tenant.project)
  const accepted = replies.filter(({ status }) => status === 200)
  assert.equal(accepted.length, OPEN_STREAMS.user)
  const refused = replies.find(({ status }) => status !== 200)
  assert.deepEqual([refused?.status, refused?.body?.code], [429, 'rate_limited'])
  assert.ok(Number(refused?.headers['retry-after']) > 0)
  assert.match(refused?.body?.detail ?? '', /open event streams: a user can have at most 20\./)

  const other = await newTenant(backend)
  assert.equal((await open(other.owner, other.project)).status, 200, 'other users are not affected')
  accepted[0]?.close()
  await until(
    () => open(tenant.owner, tenant.project),
    ({ status }) => status === 200,
  )
})

test('a project can have 100 streams in total, over all users', async () => {
  const tenant = await newTenant(backend)
  const workspace = `/api/v2/workspaces/${tenant.workspace}`
  for (let users = 0; users < OPEN_STREAMS.project / OPEN_STREAMS.user; users++) {
    const member = await newMember(backend, tenant.owner, workspace, 'member')
    const replies = await openMany(OPEN_STREAMS.user, member, tenant.project)
    assert.ok(replies.every(({ status }) => status === 200))
  }
  const refused = await open(tenant.owner, tenant.project)
  assert.equal(refused.status, 429)
  assert.match(refused.body?.detail ?? '', /open event streams: a project can have at most 100\./)
})

test('a stream that could not start and a HEAD request do not keep a place', async () => {
  const { owner, project } = await newTenant(backend)
  const path = `/api/v2/projects/${project}/stream`
  for (let n = 0; n < OPEN_STREAMS.user + 1; n++) {
    assert.equal((await owner.get(path, { 'last-event-id': 'x' })).status, 422)
    assert.equal((await owner.send('HEAD', path)).status, 200)
  }
  assert.equal((await open(owner, project)).status, 200)
})

test('each limit is below the limit of the process, and reports which one was reached', async () => {
  const { user, project, workspace, process } = OPEN_STREAMS
  assert.ok(user < project && project < workspace && workspace < process)
  const alone = { id: 'alone', count: () => 1, onRenewal: () => {} }
  const slots = createSlots(alone, backend.database.pool)
  const limits = createStreamLimits(
    { slots, processId: alone.id },
    { user: 1, project: 2, workspace: 3, process: 4 },
  )
  const take = (of: string) => {
    const [userId = '', projectId = '', workspaceId = ''] = of.split(' ')
    return limits.take({ userId, projectId, workspaceId })
  }
  const rejection = async (of: string) => {
    try {
      await take(of)
    } catch (error) {
      return error instanceof Problem ? error.extras.detail : error
    }
    return null
  }
  const release = await take('a p w')
  assert.match(String(await rejection('a q v')), /user/)
  await take('b p w')
  assert.match(String(await rejection('c p w')), /project/)
  await take('c q w')
  assert.match(String(await rejection('d r w')), /workspace/)
  await take('d r v')
  assert.match(String(await rejection('e s u')), /service/)
  release()
  release()
  assert.equal(await rejection('a p w'), null)
  assert.match(String(await rejection('f r v')), /service/, 'a place is given back once')
})

test('opening a stream costs more of the rate limit than a plain request', async () => {
  const perUser = 3 * STREAM_TOKENS
  const own = await startBackend({ rateLimits: { perUser, failuresPerAddress: 100 } })
  try {
    const caller = await own.as(newUser())
    const organisation = (await caller.post('/api/v2/organisations', { name: 'A' })).body.id
    const workspaces = `/api/v2/organisations/${organisation}/workspaces`
    const workspace = (await caller.post(workspaces, { name: 'A' })).body.id
    const project = (await caller.post(`/api/v2/workspaces/${workspace}/projects`, { name: 'A' })).body.id
    assert.equal((await open(caller, project, own)).status, 200)
    assert.equal((await open(caller, project, own)).status, 200)
    const refused = await open(caller, project, own)
    assert.deepEqual([refused.status, refused.body?.code], [429, 'rate_limited'])
    assert.ok(Number(refused.headers['retry-after']) > 0)
    assert.equal((await caller.get('/api/v2/organisations')).status, 200, 'plain requests still pass')
  } finally {
    closeAll()
    await own.stop()
  }
})
