import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startBackend, type TestBackend } from '../../test/support/backend.ts'
import { newPortal, type Portal } from '../../test/support/conversations.ts'
import { scriptedEngines } from '../../test/support/engines.ts'
import { until } from '../../test/support/webhooks.ts'
import { recoverStalledReports } from './recover-stalled-reports.ts'

let backend: TestBackend
let portal: Portal
before(async () => {
  backend = await startBackend({ engines: scriptedEngines() })
  portal = await newPortal(backend)
})
after(() => backend.stop())

const query = (text: string, values: unknown[]) => backend.database.pool.query(text, values)
const renew = () => recoverStalledReports(backend.database.db, backend.jobs)
const ask = async (wishes: object = {}): Promise<string> =>
  (await portal.owner.post(`/api/v2/projects/${portal.projectId}/reports`, wishes)).body.id
const untilStatus = (id: string, status: string) =>
  until(
    () => portal.owner.get(`/api/v2/reports/${id}`),
    ({ body }) => body.status === status,
  )

/** As it was when its job was lost, some hours ago. */
async function loseJob(id: string, status: 'scheduled' | 'generating'): Promise<void> {
  await query(`delete from jobs.job where name = 'report' and data ->> 'report_id' = $1`, [id])
  await query(
    `update reports set status = $2, created_at = now() - interval '3 hours',
       scheduled_at = now() - interval '2 hours', recovered_at = recovered_at - interval '2 hours'
     where id = $1`,
    [id, status],
  )
}

for (const status of ['scheduled', 'generating'] as const)
  test(`a report whose job was lost while it was ${status} is taken up once, and has failed when that is lost too`, async () => {
    const id = await ask()
    await untilStatus(id, 'ready')
    await loseJob(id, status)
    assert.equal(await renew(), 1)
    await untilStatus(id, 'ready')
    assert.equal(await renew(), 0)
    await loseJob(id, status)
    assert.equal(await renew(), 1)
    const { body } = await untilStatus(id, 'failed')
    assert.equal(body.failure, 'internal')
  })

test('a report whose time has not come, and one whose job waits, are left alone', async () => {
  const later = await ask({ scheduled_at: '2100-01-01T00:00:00Z' })
  const waiting = await ask({ scheduled_at: '2100-01-01T00:00:00Z' })
  await query(
    `update reports set created_at = now() - interval '3 hours', scheduled_at = now() - interval '2 hours' where id = $1`,
    [waiting],
  )
  await query(`update reports set created_at = now() - interval '3 hours' where id = $1`, [later])
  assert.equal(await renew(), 0)
})
