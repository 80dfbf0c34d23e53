import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { openDatabase } from '../../../database/database.ts'
import { systemClock } from '../../../platform/clock.ts'
import { createMetrics } from '../../../platform/metrics.ts'
import { onServer, testDatabase } from '../../../test/support/database.ts'
import fc from '../../../test/support/properties.ts'
import { until } from '../../../test/support/webhooks.ts'
import { limitDownloads } from '../../exports/downloads.ts'
import { DOWNLOADS_PER_WORKSPACE } from '../rate-limits.ts'
import { joinApiProcesses } from './api-processes.ts'
import { createSharedRateLimit } from './shared-rate-limit.ts'
import { createSlots } from './slots.ts'
import { createTokenLeases } from './token-leases.ts'

const { url, drop } = await testDatabase()
const options = {
  url,
  schema: 'parley',
  applicationName: 'limits',
  max: 1,
  limits: { connect: 60_000, statement: 60_000, idleTimeoutMs: 70_000 },
}
const observer = openDatabase(options)
after(async () => {
  await observer.close()
  await drop()
})

const running: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop()
  // Those of processes that died, or that were too slow to leave.
  await observer.pool.query('delete from api_processes')
})

/**
 * The part of an API process that shares limits. On a busy machine statements have taken longer than the service allows them, and
 * renewals longer than its lease: then a process applies its limits alone, as it should, and two of them allow twice as much.
 */
const PATIENT = { leaseSeconds: 600, timeoutMs: 60_000 }

function start() {
  const database = openDatabase(options)
  const metrics = createMetrics()
  const processes = joinApiProcesses({ ...database, ...PATIENT, metrics })
  const leases = createTokenLeases({ ...PATIENT, processes, queries: database.pipelined, metrics })
  let isRunning = true
  const started = {
    processes,
    pool: database.pool,
    slots: createSlots(processes, database.pool),
    limit: (name: string, perMinute: number) =>
      createSharedRateLimit(name, { perMinute, clock: systemClock }, leases),
    /** Statements that leased tokens. */
    statements: async (outcome = 'ok') => {
      const metric = await metrics.registry.getSingleMetric('parley_rate_limit_leases_total')?.get()
      return metric?.values.find(({ labels }) => labels['outcome'] === outcome)?.value ?? 0
    },
    /** Sees as many processes as are alive. */
    sees: (count: number) =>
      until(
        async () => processes.count(),
        (seen) => seen === count,
      ),
    /** As a killed process does: it does not leave, but no longer renews its lease, which then ends. */
    async die() {
      await started.close()
      await observer.pool.query('update api_processes set lease_until = now() where id = $1', [processes.id])
    },
    async close() {
      if (!isRunning) return
      isRunning = false
      await database.pool.end()
      await database.close()
    },
    async stop() {
      if (isRunning) await processes.stop()
      await started.close()
    },
  }
  running.push(started)
  return started
}

type Process = ReturnType<typeof start>

async function startMany(count: number): Promise<Process[]> {
  const all = Array.from({ length: count }, start)
  for (const one of all) await one.sees(count)
  return all
}

/** How many tokens a limit has got back since then. */
const refilledSince = (began: number, perMinute: number): number =>
  ((performance.now() - began) / 60_000) * perMinute

/** How many of the requests are allowed if `on` says which process gets each of them. */
async function allowed(
  limits: ReturnType<Process['limit']>[],
  on: number[],
  pauseEvery = 0,
): Promise<number> {
  const waits: (number | Promise<number>)[] = []
  for (const [n, process] of on.entries()) {
    waits.push((limits[process] as ReturnType<Process['limit']>).take('key'))
    if (pauseEvery > 0 && n % pauseEvery === 0) await waits.at(-1)
  }
  return (await Array.fromAsync(waits)).filter((wait) => wait === 0).length
}

for (const count of [2, 3, 5])
  test(`${count} processes allow what one allows, within 10 %, however requests are spread`, async (t) => {
    const all = await startMany(count)
    let run = 0
    let [requests, lowest, highest] = [0, 1, 1]
    const spread = fc.record({
      perMinute: fc.constantFrom(1, 2, 5, 10, 19, 60, 100, 240, 1_000, 12_000),
      weights: fc
        .array(fc.nat(9), { minLength: count, maxLength: count })
        .filter((weights) => weights.some(Boolean)),
      pauseEvery: fc.constantFrom(0, 1, 7, 50),
      isOneAfterTheOther: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(spread, async ({ perMinute, weights, pauseEvery, isOneAfterTheOther }) => {
        const limits = all.map((one) => one.limit(`${count} processes, run ${run}`, perMinute))
        run += 1
        const sum = weights.reduce((a, b) => a + b)
        const wheel = weights.flatMap((weight, process) => Array<number>(weight).fill(process))
        const total = 3 * perMinute + sum
        const on = Array.from({ length: total }, (_, n) => wheel[(n * 7) % sum] as number)
        if (isOneAfterTheOther) on.sort((a, b) => a - b)
        const began = performance.now()
        const passed = await allowed(limits, on, perMinute > 1_000 ? 0 : pauseEvery)
        const refilled = refilledSince(began, perMinute)
        requests += total
        lowest = Math.min(lowest, passed / perMinute)
        highest = Math.max(highest, passed / (perMinute + refilled))
        assert.ok(passed >= 0.9 * perMinute, `${passed} allowed`)
        assert.ok(passed <= 1.1 * (perMinute + refilled), `${passed} allowed, ${refilled} refilled`)
      }),
      { numRuns: 25 },
    )
    const statements = (await Promise.all(all.map((one) => one.statements()))).reduce((a, b) => a + b)
    t.diagnostic(
      `${requests} requests, ${statements} statements, allowed ${lowest.toFixed(3)} to ${highest.toFixed(3)} of a limit`,
    )
  })

test('a process alone asks nothing of the database, and allows exactly the limit', async () => {
  const one = start()
  const limit = one.limit('alone', 100)
  const waits = Array.from({ length: 150 }, () => limit.take('key'))
  assert.equal(waits.filter((wait) => wait === 0).length, 100)
  assert.equal(await one.statements(), 0)
})

test('requests that a process allowed while it was alone count when another one joins', async () => {
  const one = start()
  const limit = one.limit('joined', 100)
  const began = performance.now()
  for (let n = 0; n < 80; n++) assert.equal(limit.take('key'), 0)
  const other = start()
  await one.sees(2)
  await other.sees(2)
  assert.equal(await limit.take('key'), 0)
  const later = await allowed(
    [limit, other.limit('joined', 100)],
    Array.from({ length: 100 }, (_, n) => n % 2),
  )
  const refilled = refilledSince(began, 100)
  assert.ok(later <= 1.1 * (100 + refilled) - 81, `${later} more allowed, ${refilled} refilled`)
})

/** Without connections the database is away. */
const allowConnections = (isAllowed: boolean) =>
  onServer(async (client) => {
    const name = new URL(url).pathname.slice(1)
    await client.query(`alter database ${name} allow_connections ${isAllowed}`)
    if (isAllowed) return
    await client.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [
      name,
    ])
  })

test('without the database each process applies its own limit, and reports afterwards what it allowed', async () => {
  const [one, other] = (await startMany(2)) as [Process, Process]
  const limit = one.limit('away', 100)
  const began = performance.now()
  for (let n = 0; n < 30; n++) assert.equal(await limit.take('key'), 0)
  await allowConnections(false)
  let more: number
  try {
    more = await allowed([limit], Array<number>(300).fill(0))
    const refilled = refilledSince(began, 100)
    assert.ok(more >= 70 && more <= 75 + refilled, `${more} more allowed, ${refilled} refilled`)
    // The second one was requested while the first one was sent. It must not report anything either.
    await until(
      () => one.statements('failed'),
      (count) => count === 2,
    )
  } finally {
    await allowConnections(true)
  }
  await one.sees(2)
  await other.sees(2)
  const statements = await one.statements()
  assert.ok((await limit.take('key', 100)) > 0)
  await until(
    () => one.statements(),
    (count) => count > statements,
  )
  const later = await allowed([other.limit('away', 100)], Array<number>(300).fill(0))
  const refilled = refilledSince(began, 100)
  assert.ok(later <= 1.1 * (100 + refilled) - 30 - more, `${later} allowed later, ${refilled} refilled`)
})

test('two processes together allow two downloads of a workspace, and one that dies frees its own', async () => {
  const [one, other] = (await startMany(2)) as [Process, Process]
  const [begin, beginThere] = [limitDownloads(one.slots), limitDownloads(other.slots)]
  const began = await Promise.allSettled(
    Array.from({ length: 10 }, (_, n) => (n % 2 ? begin : beginThere)('workspace')),
  )
  const ends = began.flatMap((download) => (download.status === 'fulfilled' ? [download.value] : []))
  assert.equal(ends.length, DOWNLOADS_PER_WORKSPACE)
  for (const end of ends) end()
  const isFree = (beginOne: typeof begin) =>
    until(
      () => beginOne('workspace').catch(() => null),
      (end) => end !== null,
    )
  await isFree(begin)
  await isFree(begin)
  await assert.rejects(beginThere('workspace'))
  await one.die()
  await isFree(beginThere)
  await other.sees(1)
})

test('slots that a process took while it was alone count when another one joins', async () => {
  const one = start()
  const begin = limitDownloads(one.slots)
  const end = await begin('early')
  await begin('early')
  const other = start()
  await other.sees(2)
  const beginThere = limitDownloads(other.slots)
  await until(
    () =>
      beginThere('early').then(
        (endThere) => endThere(),
        () => 'refused' as const,
      ),
    (outcome) => outcome === 'refused',
  )
  end()
  await until(
    () => beginThere('early').catch(() => null),
    (endThere) => endThere !== null,
  )
})

test('a slot rejected while the lease is renewed leaves no row', async () => {
  const [one, other] = (await startMany(2)) as [Process, Process]
  const limits = [{ key: 'refused', max: 1 }]
  assert.ok((await other.slots.take(limits)).release)
  const { promise: renewing, resolve: renew } = Promise.withResolvers<() => unknown>()
  const onRenewal = (listener: (renewal: { isNew: boolean; wanted: string[] }) => unknown) =>
    renew(() => listener({ isNew: true, wanted: [] }))
  const slots = createSlots({ ...one.processes, onRenewal }, one.pool)
  const renewal = await renewing
  const taking = slots.take(limits)
  // The process has one connection, so the statements run in this order.
  renewal()
  assert.equal((await taking).release, null)
  const held = 'select from held_slots where process_id = $1'
  assert.equal((await one.pool.query(held, [one.processes.id])).rowCount, 0)
})
