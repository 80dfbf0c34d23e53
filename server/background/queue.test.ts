import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { inTransaction, isDatabaseUnavailable } from '../../database/database.ts'
import { newId } from '../../platform/ids.ts'
import { startProxy } from '../../test/chaos/framework/tcp-proxy.ts'
import { until } from '../../test/support/webhooks.ts'
import { JOB_NAMES } from './jobs.ts'
import { createJobs, type RunningJob } from './queue.ts'
import { database, enqueue, jobs, log, own, setUpQueue } from './testing/queue.ts'

setUpQueue()

const [A, B] = [newId(), newId()]

test('enqueues a job when its transaction commits, and not when it rolls back', async () => {
  const seen: unknown[] = []
  await jobs.work('erase', 1, async ({ data }) => void seen.push(data['n']))
  const lost = inTransaction(database.db, async (tx) => {
    await jobs.enqueue(tx, 'erase', { n: 1 })
    throw new Error('rolled back')
  })
  await assert.rejects(lost)
  await enqueue('erase', { n: 2 })
  await until(
    async () => seen,
    ({ length }) => length > 0,
  )
  assert.deepEqual(seen, [2])
})

test('retries a failed job with the number of failures', async () => {
  const tries: number[] = []
  await jobs.work('join_audio', 1, async ({ retry, isLast }: RunningJob) => {
    tries.push(retry)
    assert.equal(isLast, false)
    if (retry < 1) throw new Error('not yet')
  })
  await enqueue('join_audio', {})
  await until(
    async () => tries,
    ({ length }) => length === 2,
  )
  assert.deepEqual(tries, [0, 1])
})

test('runs higher priorities first, and the backlog of one project does not delay another', async () => {
  for (let n = 0; n < 20; n++) await enqueue('summarize', { of: `backlog ${n}` }, { projectId: A })
  await enqueue('summarize', { of: 'neighbour' }, { projectId: B })
  await enqueue('summarize', { of: 'live' }, { projectId: A, priority: 1 })
  const order: string[] = []
  await jobs.work('summarize', 1, async ({ data }) => void order.push(String(data['of'])))
  await until(
    async () => order,
    ({ length }) => length === 22,
  )
  assert.equal(order[0], 'live')
  // Among the first jobs of its neighbour, not behind all of them.
  assert.ok(order.indexOf('neighbour') < 5, order.join())
})

test('another worker retakes the job of a killed worker when its lease ends', async () => {
  await enqueue('report', { report_id: 'x' })
  const worker = spawn(process.execPath, [join(import.meta.dirname, 'testing/hanging-worker.ts'), own.url])
  const [line] = await once(worker.stdout, 'data')
  assert.equal(String(line), 'taken\n')
  worker.kill('SIGKILL')
  await once(worker, 'exit')
  const retaken = Promise.withResolvers<RunningJob>()
  await jobs.work('report', 1, async (job) => retaken.resolve(job))
  const { data, retry } = await retaken.promise
  assert.deepEqual([data['report_id'], retry], ['x', 1])
})

test('a queue recovers from silent connections, and its workers continue', async (t) => {
  const url = new URL(own.url)
  const proxy = await startProxy({ host: url.hostname, port: Number(url.port) })
  url.port = String(proxy.port)
  // Longer than the polling interval of workers, so that each of them is caught during a poll.
  const behind = createJobs({ url: url.href, names: JOB_NAMES, supervises: true, log, idleTimeoutMs: 3_000 })
  t.after(async () => {
    proxy.set('pass')
    await behind.stop(500)
    await proxy.stop()
  })
  await behind.start()
  const done = Promise.withResolvers<RunningJob>()
  await behind.work('transcribe', 2, async (job) => done.resolve(job))
  proxy.set('black hole')
  await assert.rejects(behind.counts(), isDatabaseUnavailable)
  proxy.set('pass')
  await enqueue('transcribe', { seq: 7 })
  const { data } = await done.promise
  assert.equal(data['seq'], 7)
})

test('the longest wait is that of the oldest due job of at least that priority', async () => {
  assert.equal(await jobs.longestWait(1), 0)
  const make = async (age: string, options: object) => {
    const key = newId()
    await enqueue('transcribe', { key }, options)
    await database.pool.query(
      `update jobs.job set created_on = created_on - $2::interval, start_after = start_after - $2::interval
       where data ->> 'key' = $1`,
      [key, age],
    )
  }
  await make('3 hours', { priority: 0, projectId: A })
  await make('2 hours', { priority: 1, startAfter: new Date(Date.now() + 3 * 3_600_000) })
  assert.equal(await jobs.longestWait(1), 0)
  await make('1 hour', { priority: 1, projectId: A })
  await make('1 minute', { priority: 2, projectId: A })
  const [ofAny, ofLive] = [await jobs.longestWait(1), await jobs.longestWait(2)]
  assert.ok(ofAny >= 3_600 && ofAny < 7_200, String(ofAny))
  assert.ok(ofLive >= 60 && ofLive < 3_600, String(ofLive))
  await database.pool.query(`delete from jobs.job where name = 'transcribe'`)
})

test('counts waiting, running and failed jobs', async () => {
  await enqueue('transcribe', { conversation_id: 'x', seq: 0 })
  const counts = await until(
    () => jobs.counts(),
    (all) => all.some(({ name, waiting }) => name === 'transcribe' && waiting === 1),
  )
  assert.deepEqual(counts.map(({ name }) => name).toSorted(), [
    'erase',
    'join_audio',
    'report',
    'summarize',
    'transcribe',
  ])
})
