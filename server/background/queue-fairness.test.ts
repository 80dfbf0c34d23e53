import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { inTransaction } from '../../database/database.ts'
import { newId } from '../../platform/ids.ts'
import { until } from '../../test/support/webhooks.ts'
import { JOB_TIME_CHANNEL } from './queue.ts'
import { database, enqueue, jobs, own, setUpQueue } from './testing/queue.ts'

setUpQueue()

/** Projects in one workspace of a new organisation. */
async function newProjects(count: number) {
  const [organisation, workspace] = [newId(), newId()]
  const { pool } = database
  await pool.query(`insert into organisations (id, name) values ($1, 'Acme')`, [organisation])
  await pool.query(`insert into workspaces (id, organisation_id, name) values ($1, $2, 'Field')`, [
    workspace,
    organisation,
  ])
  const projects = Array.from({ length: count }, newId)
  await pool.query(
    `insert into projects (id, workspace_id, name, language, languages, is_open, ask_name, ask_email, tags, hotwords)
     select id, $1, 'Interviews', 'en', '[]', true, false, false, '[]', '[]' from unnest($2::uuid[]) id`,
    [workspace, projects],
  )
  return { organisation, workspace, projects, first: projects[0] as string }
}

/** The priority that a project's next job gets. */
async function nextPriority(projectId: string): Promise<number> {
  const key = newId()
  await enqueue('transcribe', { key }, { projectId })
  const { rows } = await database.pool.query(
    `delete from jobs.job where data ->> 'key' = $1 returning priority`,
    [key],
  )
  return rows[0].priority
}

test('a workspace does not delay others by spreading its jobs over many projects', async () => {
  const priorities: number[] = []
  for (const project of (await newProjects(20)).projects) priorities.push(await nextPriority(project))
  const neighbour = await nextPriority((await newProjects(1)).first)
  const before = priorities.filter((priority) => priority >= neighbour).length
  assert.ok(before < 3, `${before} of 20 come first`)
})

test('a busy project does not delay another project of its workspace', async () => {
  const [busy, quiet] = (await newProjects(2)).projects as [string, string]
  let last = 0
  for (let n = 0; n < 20; n++) last = await nextPriority(busy)
  assert.ok((await nextPriority(quiet)) > last)
})

test('a worker publishes how long a run took, also one that failed', async () => {
  const { organisation, workspace, first } = await newProjects(1)
  const client = new pg.Client(own.url)
  await client.connect()
  try {
    const received = Promise.withResolvers<string>()
    client.on('notification', ({ payload }) => received.resolve(payload ?? ''))
    await client.query(`listen ${JOB_TIME_CHANNEL}`)
    await jobs.work('report', 1, async ({ retry }) => {
      const began = performance.now()
      await until(
        async () => performance.now() - began,
        (ms) => ms > 1_200,
      )
      if (retry === 0) throw new Error('not yet')
    })
    await enqueue('report', { report_id: 'x' }, { projectId: first })
    const [seconds, ...tenant] = (await received.promise).split(' ')
    assert.ok(Number(seconds) >= 1, seconds)
    assert.deepEqual(tenant, [organisation, workspace, first])
  } finally {
    await client.end()
  }
})

test('the time of a run lowers the rank of the next jobs of its workspace', async () => {
  const { organisation, workspace, projects } = await newProjects(2)
  const [slow, other] = projects as [string, string]
  await nextPriority(slow)
  const payload = `100000 ${organisation} ${workspace} ${slow}`
  await database.pool.query(`select pg_notify('${JOB_TIME_CHANNEL}', $1)`, [payload])
  let looks = 0
  const lowered = await until(
    () => {
      looks++
      return nextPriority(slow)
    },
    (priority) => priority <= 1,
  )
  assert.ok(looks < 100, 'not by the number of jobs alone')
  assert.ok((await nextPriority(other)) > lowered)
})

test('a retry keeps its project and runs after the first attempts of others', async () => {
  const [{ first: failing }, { first: busy }] = [await newProjects(1), await newProjects(1)]
  const order: string[] = []
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await jobs.work('erase', 1, async ({ data, retry, projectId }) => {
    order.push(`${data['of']} ${retry} ${projectId}`)
    if (data['of'] === 'failing' && retry === 0) throw new Error('not yet')
    if (data['of'] === 'blocker') await released
  })
  const done = (count: number) =>
    until(
      async () => order,
      ({ length }) => length === count,
    )
  await enqueue('erase', { of: 'failing' }, { projectId: failing })
  await done(1)
  await enqueue('erase', { of: 'blocker' }, { projectId: busy })
  await done(2)
  await until(
    () =>
      database.pool.query(
        `select from jobs.job where data ->> 'of' = 'failing' and state = 'retry' and start_after <= now()`,
      ),
    ({ rows }) => rows.length === 1,
  )
  await inTransaction(database.db, (tx) =>
    jobs.enqueueAll(
      tx,
      'erase',
      Array.from({ length: 10 }, () => ({ data: { of: 'first' }, projectId: busy })),
    ),
  )
  release()
  await done(13)
  assert.equal(order.at(-1), `failing 1 ${failing}`)
})
