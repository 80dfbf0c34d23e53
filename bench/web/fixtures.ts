import { randomBytes, randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Account, signIn } from '../../scripts/demo/api.ts'
import { startService } from '../../scripts/demo/service.ts'
import { buildOrDispose } from '../resources.ts'
import { seed } from '../search/seed.ts'

/** The service with one project that has many rows. */
export interface Fixtures extends AsyncDisposable {
  url: string
  account: Account
  projectId: string
  webhookId: string
}

export const startFixtures = (conversations: number, deliveries: number): Promise<Fixtures> =>
  buildOrDispose(async (stack) => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-bench-web-'))
    stack.defer(() => rm(folder, { recursive: true, force: true }))
    await chmod(folder, 0o711)
    const account = { email: 'admin@example.com', password: randomBytes(12).toString('hex') }
    const ports = { PORT: '0', IDENTITY_PORT: '0', METRICS_PORT: '0' }
    const service = await startService({
      folder,
      password: account.password,
      environment: {
        PATH: process.env['PATH'],
        ...ports,
        ROLES: 'api',
        TIER_GATES: 'off',
        RATE_LIMITS: 'off',
      },
      signal: undefined,
    })
    stack.defer(service.stop)
    const api = await signIn(service.url, service.identityUrl, account)
    const { id: organisation } = await api.post('/api/v2/organisations', { name: 'Bench' })
    const { id: workspace } = await api.post(`/api/v2/organisations/${organisation}/workspaces`, {
      name: 'Bench',
    })
    const { id: projectId } = await api.post(`/api/v2/workspaces/${workspace}/projects`, { name: 'Bench' })
    const { id: webhookId } = await api.post(`/api/projects/${projectId}/webhooks`, {
      url: 'https://1.1.1.1/hook',
      events: ['conversation.started'],
    })
    const client = new pg.Client({ connectionString: await service.databaseUrl() })
    await client.connect()
    await seed(client, projectId, conversations, 2)
    await insertDeliveries(client, webhookId, deliveries)
    await client.end()
    return {
      url: service.url,
      account,
      projectId,
      webhookId,
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    }
  })

/** Over 20 days; one in 50 has failed. */
async function insertDeliveries(client: pg.Client, webhookId: string, count: number): Promise<void> {
  await client.query(
    `insert into deliveries (id, webhook_id, event_id, event_type, event_at, kind, payload, status, attempts, created_at, due_at,
       expires_at, finished_at, last_status, last_error)
     select (left(uuid_floor(at)::text, 19) || right(gen_random_uuid()::text, 17))::uuid, $1, $2, 'conversation.started', at,
       'event', 'full', case when i % 50 = 0 then 'failed' else 'succeeded' end, 1, at, at, at, at,
       case when i % 50 = 0 then 500 else 200 end, case when i % 50 = 0 then 'status' end
     from (select i, now() - i * interval '20 days' / $3 as at from generate_series(1, $3::integer) as i) t`,
    [webhookId, randomUUID(), count],
  )
  await client.query('vacuum analyze deliveries')
}
