import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { type Api, signIn } from '../../scripts/demo/api.ts'
import type { DemoState } from '../../scripts/demo/state.ts'
import { launchService, leftovers, type Service, temporaryFolder } from '../support/service.ts'
import { until } from '../support/webhooks.ts'

const DAY_MS = 86_400_000
const MAIN = join(import.meta.dirname, '../../scripts/demo/run.ts')

const folder = await temporaryFolder()
let { demo, printed } = await startDemo()
const state: DemoState = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'))
const host = await signInAs('mara@havenbrug.example')
after(() => demo.gone)

async function startDemo() {
  const demo = launchService(folder, { main: MAIN })
  await demo.printed('Press Ctrl-C')
  const printed = (name: string) => new RegExp(`${name} +(\\S+)`).exec(demo.output())?.[1] ?? ''
  return { demo, printed }
}

function signInAs(email: string): Promise<Api> {
  const account = { email, password: printed('Password') }
  return signIn(printed('Dashboard'), printed('Identity store'), account)
}

interface Conversation {
  status: string
  source: string
  language: string
  tags: string[]
  summary: string | null
  started_at: string
  failure: string | null
}

async function conversations(): Promise<Conversation[]> {
  const lists = await Promise.all(
    Object.values(state.projects).map((id) =>
      host.get<{ data: Conversation[] }>(`/api/v2/projects/${id}/conversations?limit=200`),
    ),
  )
  return lists.flatMap(({ data }) => data)
}

interface Me {
  staff: boolean
  workspaces: { tier: string; role: string }[]
  invitations: object[]
}

test('everyone who is printed can sign in, with what their role allows', async () => {
  const emails = demo.output().match(/\S+@\S+/g) ?? []
  assert.equal(emails.length, 5)
  const me = await Promise.all(emails.map(async (email) => (await signInAs(email)).get<Me>('/api/v2/me')))
  assert.deepEqual(
    me.map(({ staff }) => staff),
    [false, false, false, false, true],
  )
  const { workspaces, invitations } = me[0] as Me
  assert.ok(workspaces.some(({ tier, role }) => tier === 'changemaker' && role === 'owner'))
  assert.equal(invitations.length, 1)
})

test('has 60 conversations of a week, in several languages, with tags and summaries', async () => {
  const all = await conversations()
  assert.equal(all.length, 60)
  assert.equal(all.filter(({ status }) => status === 'recording').length, 3)
  const written = all.filter(({ source, status }) => source === 'portal_text' && status === 'done')
  assert.equal(written.length, 45)
  assert.ok(written.every(({ summary, tags }) => summary !== null && tags.length > 0))
  assert.deepEqual([...new Set(written.map(({ language }) => language))].toSorted(), [
    'de',
    'en',
    'es',
    'fr',
    'nl',
    'pl',
  ])
  const days = new Set(written.map(({ started_at }) => new Date(started_at).toDateString()))
  assert.equal(days.size, 7)
  assert.ok(all.every(({ started_at }) => Date.parse(started_at) > Date.now() - 8 * DAY_MS))
})

test('two damaged recordings fail, with the reason', async () => {
  const failed = await until(
    async () => (await conversations()).filter(({ status }) => status === 'failed'),
    ({ length }) => length >= 2,
    300_000,
  )
  assert.deepEqual(
    failed.map(({ failure }) => failure),
    ['unreadable', 'unreadable'],
  )
})

interface Health {
  name: string
  health: { state: string; disabled_reason: string | null; last_status: number; missed: number }
}

test('has healthy, failing and disabled webhooks', async () => {
  const lists = await Promise.all(
    Object.values(state.projects).map((id) => host.get<Health[]>(`/api/projects/${id}/webhooks`)),
  )
  const found = Object.fromEntries(
    lists.flat().map(({ name, health }) => [name, [health.state, health.disabled_reason]]),
  )
  assert.deepEqual(found, {
    'Old archive': ['disabled', 'gone'],
    'Translation desk': found['Translation desk'],
    'Planning department': ['failing', null],
    'Neighbourhood map': ['ok', null],
    'Incident register': ['ok', null],
    'Timetable prototype': ['disabled', 'manual'],
  })
  const archive = lists.flat().find(({ name }) => name === 'Old archive')
  assert.ok((archive?.health.missed ?? 0) > 0)
})

interface Delivery {
  id: string
  status: string
  attempts: number
  created_at: string
  payload: string
  request_headers: Record<string, string>
  attempt_log: { at: string; status: number; answer_body: string | null }[]
}

const deliveriesOf = async (slug: string, query = ''): Promise<Delivery[]> => {
  const { project, id } = state.webhooks[slug] as DemoState['webhooks'][string]
  const path = `/api/projects/${project}/webhooks/${id}/deliveries`
  const { data } = await host.get<{ data: Delivery[] }>(`${path}?limit=200${query}`)
  return Promise.all(data.slice(0, 40).map(({ id: did }) => host.get<Delivery>(`${path}/${did}`)))
}

test('the deliveries of a week have signatures that verify', async () => {
  const all = await deliveriesOf('neighbourhood-map', '&status=succeeded')
  const secret = state.webhooks['neighbourhood-map']?.secret ?? ''
  assert.ok(all.length >= 40)
  for (const { payload, request_headers: headers } of all) {
    const at = new Date(Number(headers['webhook-timestamp']) * 1000)
    const { id } = JSON.parse(payload) as { id: string }
    assert.equal(headers['webhook-id'], id)
    assert.equal(headers['webhook-signature'], new Webhook(secret).sign(id, at, payload))
    assert.equal(headers['x-service-signature'], createHmac('sha256', secret).update(payload).digest('hex'))
  }
  const { project, id } = state.webhooks['neighbourhood-map'] as DemoState['webhooks'][string]
  const { buckets } = await host.get<{ buckets: { succeeded: number }[] }>(
    `/api/projects/${project}/webhooks/${id}/statistics?range=30d`,
  )
  assert.ok(buckets.filter(({ succeeded }) => succeeded > 0).length >= 7)
})

test('a failing delivery has the attempts of the retry schedule, with the responses', async () => {
  const [newest] = (await deliveriesOf('planning-department', '&status=pending')).filter(
    ({ attempts }) => attempts > 4,
  )
  assert.ok(newest)
  assert.ok(newest.attempt_log.some(({ answer_body }) => answer_body?.includes('read-only')))
  const refused = await deliveriesOf('translation-desk', '&status=failed')
  assert.ok(refused.length > 0)
  for (const { attempt_log } of refused) {
    assert.equal(attempt_log.length, 11)
    assert.ok(attempt_log.every(({ at, status }) => status === 422 && Date.parse(at) < Date.now()))
  }
})

test('two reports can be read, and one of them is public', async () => {
  for (const id of Object.values(state.reports)) {
    const { status, conversation_count } = await host.get(`/api/v2/reports/${id}`)
    assert.equal(status, 'ready')
    assert.ok(Number(conversation_count) >= 11)
  }
  const published = await fetch(`${printed('Dashboard')}/r/${state.reports['harbour']}`)
  assert.equal(published.status, 200)
})

async function stop(service: Service): Promise<void> {
  service.signalGroup('SIGINT')
  assert.equal((await service.ended).code, 0, service.output())
  assert.deepEqual(await leftovers(join(folder, 'service')), [])
}

test('Ctrl-C stops everything, and the next start finds its data', async () => {
  await stop(demo)
  const password = printed('Password')
  ;({ demo, printed } = await startDemo())
  assert.match(demo.output(), /with the data of the last start/)
  assert.equal(printed('Password'), password)
  Object.assign(host, await signInAs('mara@havenbrug.example'))
  // Those that were open at the last start are withdrawn.
  await until(
    async () => (await conversations()).length,
    (count) => count === 60,
  )
  await stop(demo)
})

test('Ctrl-C during the first start leaves nothing running', async () => {
  const other = await temporaryFolder()
  const early = launchService(other, { main: MAIN })
  await early.printed('2 organisations')
  early.signalGroup('SIGINT')
  assert.equal((await early.ended).code, 0, early.output())
  assert.deepEqual(await leftovers(join(other, 'service')), [])
})
