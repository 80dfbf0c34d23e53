import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import pg from 'pg'
import { startBackend } from '../../test/support/backend.ts'
import { conversationStarted, emitNow, newWebhook, newWebhookTenant } from '../../test/support/webhooks.ts'
import { slotsOf } from '../rules/shares.ts'
import { leaseQueues } from './lease-queues.ts'
import { PLANNER, type Statements } from './statement.ts'

const backend = await startBackend()
const settings = Object.entries({ ...PLANNER, search_path: 'parley' }).map(
  ([name, value]) => `-c ${name}=${value}`,
)
const client = new pg.Client({ connectionString: backend.databaseUrl, options: settings.join(' ') })
await client.connect()
after(async () => {
  await client.end()
  await backend.stop()
})

interface Plan {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** Runs each statement with EXPLAIN ANALYZE, with the plan that a dispatcher's connection uses, and returns no rows. */
function explaining(client: pg.Client, plans: Plan[]): Statements {
  const literal = (value: unknown): string => {
    if (value === null) return 'null'
    return client.escapeLiteral(Array.isArray(value) ? `{${value.join()}}` : `${value as string | number}`)
  }
  return {
    close: async () => {},
    async run({ name, text, valuesOf }, parameters) {
      // With parameters of the protocol, EXPLAIN would plan for their values.
      await client.query(`prepare ${name} as ${text}`)
      const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        `explain (analyze, format json) execute ${name} (${valuesOf(parameters).map(literal).join()})`,
      )
      await client.query(`deallocate ${name}`)
      plans.push(...(rows[0]?.['QUERY PLAN'] ?? []).map(({ Plan }) => Plan))
      return []
    },
  }
}

function countRead(plan: Plan, table: RegExp): number {
  const rows = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)
  const own = table.test(plan['Relation Name'] ?? '') ? rows * plan['Actual Loops'] : 0
  return (plan.Plans ?? []).reduce((sum, each) => sum + countRead(each, table), own)
}

const QUEUES = 50

/** Each has 100 pending deliveries, and 100 that have ended. */
async function seedQueues(): Promise<void> {
  const tenant = await newWebhookTenant(backend)
  const { id } = await newWebhook(tenant, { url: 'https://receiver.example/hook' })
  await emitNow(backend, conversationStarted(tenant.project))
  const { pool } = backend.database
  await pool.query(
    `with copied as (
       insert into webhooks select (jsonb_populate_record(w, jsonb_build_object('id', gen_random_uuid()))).*
       from webhooks w cross join generate_series(2, $2) where w.id = $1
       returning id
     ), queues as (insert into endpoint_queues (webhook_id) select id from copied)
     insert into deliveries select (jsonb_populate_record(d, jsonb_build_object(
       'id', left(d.id::text, 14) || '7' || right(gen_random_uuid()::text, 21), 'webhook_id', w.id,
       'status', case when n % 2 = 0 then 'succeeded' else 'pending' end))).*
     from deliveries d cross join (select id from copied union all select $1) w cross join generate_series(1, 200) n
     where d.webhook_id = $1`,
    [id, QUEUES],
  )
  await pool.query('analyze deliveries, webhooks, endpoint_queues')
}

test('looks for due queues without reading their finished deliveries, or all pending ones', async () => {
  await seedQueues()
  for (const [dueAt, due] of [
    [`now() + interval '1 hour'`, 0],
    ['now()', QUEUES],
  ] as const) {
    await backend.database.pool.query(`update deliveries set due_at = ${dueAt} where status = 'pending'`)
    const plans: Plan[] = []
    await leaseQueues(explaining(client, plans), randomUUID(), { limit: 100, slots: slotsOf('', []) })
    const [plan] = plans
    assert.ok(plan)
    assert.equal(plan['Actual Rows'], due)
    const read = countRead(plan, /^deliveries/)
    assert.ok(read >= due && read < 3 * QUEUES, `${read} deliveries were read`)
  }
})
