import { setTimeout as pause } from 'node:timers/promises'
import { now } from './children.ts'
import { parseNumberOptions, rounded, saveFigures } from './figures.ts'
import { openHarness } from './harness.ts'

/**
 * `node bench/deliveries/memory.ts [--minutes=10]`: resident memory of a process that delivers without a pause, sampled
 * every 5 seconds. Goal: the mean of the last minute is within 10 % of that of the second minute. A run of 10 minutes needs some
 * gigabytes in the temporary folder.
 */
const options = parseNumberOptions({ minutes: 10 })
const WEBHOOKS = 100
const SAMPLE_MS = 5_000
/** More than is delivered between two samples. */
const BATCH = 100_000

await using harness = await openHarness()
const databaseUrl = await harness.createDatabase('memory')
const ours = harness.startOurs(databaseUrl, harness.addresses(WEBHOOKS))
await ours.seed(1)
// Another process seeds the deliveries, so that only delivering takes memory in this one.
const seeder = harness.startOurs(databaseUrl, harness.addresses(WEBHOOKS))
await seeder.seed(BATCH)
let seeded = BATCH + 1

const started = now()
const samples: { minute: number; mb: number }[] = []
await ours.start()
while (minutesPassed() < options.minutes) {
  await pause(SAMPLE_MS)
  samples.push({ minute: minutesPassed(), mb: (await ours.memory()) / 1024 / 1024 })
  const { responded } = await harness.receiver.count()
  if (seeded - responded > BATCH) continue
  await seeder.seed(BATCH)
  seeded += BATCH
}
const { responded } = await harness.receiver.count()
const passed = minutesPassed()
await ours.stop()

const [second, last] = [meanBetween(1, 2), meanBetween(passed - 1, passed)]
await saveFigures('deliveries-memory', {
  minutes: options.minutes,
  per_second: Math.round(responded / passed / 60),
  second_minute_mb: rounded(second, 1),
  last_minute_mb: rounded(last, 1),
  peak_mb: rounded(Math.max(...samples.map(({ mb }) => mb)), 1),
  grows_by: rounded(last / second),
})

function minutesPassed(): number {
  return (now() - started) / 60_000
}

function meanBetween(from: number, to: number): number {
  const chosen = samples.filter(({ minute }) => minute >= from && minute <= to)
  return chosen.reduce((sum, { mb }) => sum + mb, 0) / chosen.length
}
