import type { Remote } from './children.ts'
import { median, parseNumberOptions, rounded, saveFigures } from './figures.ts'
import { openHarness } from './harness.ts'
import type { Ours } from './types.ts'

/**
 * `node bench/deliveries/growth.ts [--posts=40000] [--rounds=3] [--finished=5000000] [--pending=1000000]`: throughput in
 * an empty database, in a database with many finished deliveries, and in one with many deliveries that wait for a dead
 * receiver. Goal: the latter two reach 0.9 of the first.
 */
const options = parseNumberOptions({ posts: 40_000, rounds: 3, finished: 5_000_000, pending: 1_000_000 })
const WEBHOOKS = 100
/** A port without a listener. */
const DEAD = 'http://127.0.0.1:1/dead'

await using harness = await openHarness()
const empty = await start('empty')
const finished = await start('finished')
const pending = await start('pending')
await finished.ours.seedFinished(options.finished)
await pending.ours.seed(options.pending, [WEBHOOKS, WEBHOOKS + 1])

for (let round = 0; round <= options.rounds; round++) {
  for (const { name, ours, perSecond } of [empty, finished, pending]) {
    await ours.seed(options.posts, [0, WEBHOOKS])
    const rate = await harness.drain(ours, options.posts)
    console.log(`${name}: ${Math.round(rate)} posts/s`)
    // The first is the warm-up.
    if (round > 0) perSecond.push(rate)
  }
}

const [emptyRate, withFinished, withPending] = [empty, finished, pending].map(({ perSecond }) =>
  median(perSecond),
)
await saveFigures('deliveries-growth', {
  ...options,
  empty_per_second: Math.round(emptyRate ?? 0),
  with_finished_ratio: rounded((withFinished ?? 0) / (emptyRate ?? 1)),
  with_pending_ratio: rounded((withPending ?? 0) / (emptyRate ?? 1)),
})

async function start(name: string): Promise<{ name: string; ours: Remote<Ours>; perSecond: number[] }> {
  const addresses = [...harness.addresses(WEBHOOKS), DEAD]
  return { name, ours: harness.startOurs(await harness.createDatabase(name), addresses), perSecond: [] }
}
