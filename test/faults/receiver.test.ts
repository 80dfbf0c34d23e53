import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Received, type Receiver, type ReceiverPlan, readReceived, startReceiver } from './receiver.ts'

const PLAIN = 'geheim-é'
const STANDARD = `whsec_${Buffer.from('a key of twenty-four bytes').toString('base64')}`

const plan = (number: number, more: Partial<ReceiverPlan> = {}): ReceiverPlan => ({
  number,
  behaviour: 'ok',
  secret: PLAIN,
  payload: 'full',
  events: [],
  ...more,
})

describe('the receiver', () => {
  let folder: string
  let receiver: Receiver
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley receiver '))
    const plans = [
      plan(1),
      plan(2, { secret: STANDARD }),
      plan(3, { secret: null }),
      plan(4, { payload: 'ids' }),
    ]
    const hostile = (['error', 'busy', 'redirect', 'early', 'garbage', 'reset'] as const).map(
      (behaviour, index) => plan(10 + index, { behaviour }),
    )
    receiver = await startReceiver(folder, 'seed', [...plans, ...hostile])
  })
  after(async () => {
    await receiver.stop()
    await rm(folder, { recursive: true })
  })

  const BODY = JSON.stringify({
    id: 'e1',
    type: 'report.generated',
    data: { report_id: 'r1', report: { title: '“é”' } },
  })
  const now = () => String(Math.floor(Date.now() / 1000))
  let deliveries = 0

  function signed(secret: string | null, stamp = now()): Record<string, string> {
    if (secret === null) return { 'webhook-timestamp': stamp }
    const key = secret === STANDARD ? Buffer.from(secret.slice('whsec_'.length), 'base64') : secret
    return {
      'webhook-timestamp': stamp,
      'x-service-signature': createHmac('sha256', secret).update(BODY).digest('hex'),
      'webhook-signature': `v1,${createHmac('sha256', key).update(`e1.${stamp}.${BODY}`).digest('base64')}`,
    }
  }

  /** The status, and what the log said by the time that it came. */
  async function post(
    number: number,
    headers: Record<string, string>,
    body = BODY,
  ): Promise<{ status: number; lines: Received[] }> {
    const delivery = `d${++deliveries}`
    const own = { 'webhook-id': 'e1', 'x-service-event': 'report.generated', 'x-service-attempt': '3' }
    const answer = await fetch(receiver.urlOf(number), {
      method: 'POST',
      redirect: 'manual',
      body,
      headers: { 'x-service-delivery': delivery, ...own, ...headers },
    }).catch(() => null)
    const { received } = await readReceived(receiver.log)
    return { status: answer?.status ?? 0, lines: received.filter((line) => line.delivery === delivery) }
  }

  it('has the request in its log before it answers', async () => {
    const { status, lines } = await post(1, signed(PLAIN))
    assert.equal(status, 200)
    const [line] = lines
    assert.deepEqual(
      [line?.receiver, line?.event, line?.attempt, line?.key, line?.status, line?.problems],
      [1, 'e1', 3, 'report.generated/r1', 200, []],
    )
  })

  const problems: [name: string, number: number, headers: () => Record<string, string>, found: string[]][] = [
    ['takes both signatures by a secret of Standard Webhooks', 2, () => signed(STANDARD), []],
    ['takes no signature where there is no secret', 3, () => signed(null), []],
    ['finds a signature that should not be', 3, () => signed(PLAIN), ['signature', 'standard signature']],
    ['finds a missing one', 1, () => signed(null), ['signature', 'standard signature']],
    ['finds another secret', 1, () => signed('other'), ['signature', 'standard signature']],
    ['finds a signature of long ago', 1, () => signed(PLAIN, '1000000000'), ['standard signature']],
    [
      'finds another id in the body',
      1,
      () => ({ ...signed(PLAIN), 'webhook-id': 'e2' }),
      ['id', 'standard signature'],
    ],
    ['finds another type', 1, () => ({ ...signed(PLAIN), 'x-service-event': 'other' }), ['type']],
    ['finds content where ids were asked for', 4, () => signed(PLAIN), ['payload']],
  ]
  for (const [name, number, headers, found] of problems)
    it(name, async () => assert.deepEqual((await post(number, headers())).lines[0]?.problems, found))

  it('finds bytes that were altered', async () => {
    const { lines } = await post(1, signed(PLAIN), BODY.replace('r1', 'r2'))
    assert.deepEqual(lines[0]?.problems, ['signature', 'standard signature'])
  })

  const statuses: [behaviour: string, number: number, status: number, logged: number][] = [
    ['error', 10, 500, 500],
    ['busy', 11, 429, 429],
    ['redirect', 12, 302, 302],
    ['garbage', 14, 0, 0],
    ['reset', 15, 0, 0],
  ]
  for (const [behaviour, number, status, logged] of statuses)
    it(`behaves as ${behaviour}, and says so in its log`, async () => {
      const answer = await post(number, signed(PLAIN))
      assert.deepEqual([answer.status, answer.lines.map((line) => line.status)], [status, [logged]])
    })

  it('answers early by the head alone, and checks the body when it comes', async () => {
    const { status, lines } = await post(13, signed('other'))
    assert.equal(status, 200)
    assert.deepEqual(lines[0]?.part, 'head')
    while ((await readReceived(receiver.log)).received.at(-1)?.part !== 'body');
    assert.deepEqual((await readReceived(receiver.log)).received.at(-1)?.problems, [
      'signature',
      'standard signature',
    ])
  })
})
