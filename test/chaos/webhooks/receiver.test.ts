import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Received, type ReceiverPlan, readReceived, startReceiver } from './receiver.ts'

const PLAIN = 'geheim-é'
const STANDARD = `whsec_${Buffer.from('a key of twenty-four bytes').toString('base64')}`
const BODY = JSON.stringify({
  id: 'e1',
  type: 'report.generated',
  data: { report_id: 'r1', report: { title: '“é”' } },
})

const PLANS: Partial<ReceiverPlan>[] = [
  {},
  { secret: STANDARD },
  { secret: null },
  { payload: 'ids' },
  ...(['error', 'busy', 'redirect', 'garbage', 'reset', 'early'] as const).map((behaviour) => ({
    behaviour,
  })),
]

const folder = await mkdtemp(join(tmpdir(), 'parley receiver '))
const defaults = { behaviour: 'ok', secret: PLAIN, payload: 'full', events: [] } as const
const plans = PLANS.map((plan, index) => ({ ...defaults, ...plan, number: index + 1 }) as ReceiverPlan)
const receiver = await startReceiver(folder, 'seed', plans)
let deliveries = 0
after(async () => {
  await receiver.stop()
  await rm(folder, { recursive: true })
})

function sign(secret: string | null, stamp = String(Math.floor(Date.now() / 1000))): Record<string, string> {
  if (secret === null) return { 'webhook-timestamp': stamp }
  const key = secret === STANDARD ? Buffer.from(secret.slice('whsec_'.length), 'base64') : secret
  return {
    'webhook-timestamp': stamp,
    'x-service-signature': createHmac('sha256', secret).update(BODY).digest('hex'),
    'webhook-signature': `v1,${createHmac('sha256', key).update(`e1.${stamp}.${BODY}`).digest('base64')}`,
  }
}

/** The status, and the lines of the log by the time that the response came. */
async function post(
  number: number,
  headers: Record<string, string>,
  body = BODY,
): Promise<{ status: number; lines: Received[] }> {
  const delivery = `d${++deliveries}`
  const own = { 'webhook-id': 'e1', 'x-service-event': 'report.generated', 'x-service-attempt': '3' }
  const response = await fetch(receiver.urlOf(number), {
    method: 'POST',
    redirect: 'manual',
    body,
    headers: { 'x-service-delivery': delivery, ...own, ...headers },
  }).catch(() => null)
  const { received } = await readReceived(receiver.log)
  return { status: response?.status ?? 0, lines: received.filter((line) => line.delivery === delivery) }
}

test('has the request in its log before it responds', async () => {
  const { status, lines } = await post(1, sign(PLAIN))
  const { receiver, event, attempt, key, status: logged, problems } = lines[0] as Received
  assert.deepEqual(
    [status, receiver, event, attempt, key, logged, problems],
    [200, 1, 'e1', 3, 'report.generated/r1', 200, []],
  )
})

const BOTH = ['signature', 'standard signature']
const cases: [name: string, number: number, headers: () => object, found: string[], body?: string][] = [
  ['accepts both signatures with a secret of Standard Webhooks', 2, () => sign(STANDARD), []],
  ['accepts a request without signatures when there is no secret', 3, () => sign(null), []],
  ['finds a signature without a secret', 3, () => sign(PLAIN), BOTH],
  ['finds a missing signature', 1, () => sign(null), BOTH],
  ['finds a signature with another secret', 1, () => sign('other'), BOTH],
  ['finds an old signature', 1, () => sign(PLAIN, '1000000000'), ['standard signature']],
  [
    'finds another id in the body',
    1,
    () => ({ ...sign(PLAIN), 'webhook-id': 'e2' }),
    ['id', 'standard signature'],
  ],
  ['finds another type', 1, () => ({ ...sign(PLAIN), 'x-service-event': 'other' }), ['type']],
  ['finds content in a payload of ids', 4, () => sign(PLAIN), ['payload']],
  ['finds changed bytes', 1, () => sign(PLAIN), BOTH, BODY.replace('r1', 'r2')],
]
for (const [name, number, headers, found, body] of cases)
  test(name, async () => {
    const { lines } = await post(number, headers() as Record<string, string>, body)
    assert.deepEqual(lines[0]?.problems, found)
  })

for (const [index, status] of [500, 429, 302, 0, 0].entries())
  test(`logs the status of the behaviour ${PLANS[4 + index]?.behaviour}`, async () => {
    const { status: received, lines } = await post(5 + index, sign(PLAIN))
    assert.deepEqual([received, lines.map((line) => line.status)], [status, [status]])
  })

test('responds early to the head alone, and checks the body when it comes', async () => {
  const { status, lines } = await post(10, sign('other'))
  assert.deepEqual([status, lines[0]?.part], [200, 'head'])
  const last = async () => (await readReceived(receiver.log)).received.at(-1)
  while ((await last())?.part !== 'body');
  assert.deepEqual((await last())?.problems, BOTH)
})
