import { median, parseNumberOptions, quantile, rounded, saveFigures } from './figures.ts'
import { openHarness } from './harness.ts'

/**
 * `node bench/deliveries/isolation.ts [--posts=20000] [--rounds=3] [--events=2000] [--half=100]`: 200 webhooks (twice `--half`)
 * in each of two databases; in one of them, half of the receivers hang. Goals: the healthy half keeps 90 % of its throughput, and the
 * p99 of its latency at most doubles. With another `--half`, the result is saved as `deliveries-isolation-<half>`.
 */
const USUAL_HALF = 100
const options = parseNumberOptions({ posts: 20_000, rounds: 3, events: 2_000, half: USUAL_HALF })
const HALF = options.half
const PUBLISH_PAUSE_MS = 5
/** Enough for the hanging half never to run out of deliveries. */
const HANGING = Math.max(10_000, 10 * HALF)

await using harness = await openHarness()
const healthy = harness.addresses(HALF)
const sides = {
  calm: await start('calm', '/other'),
  troubled: await start('troubled', '/hang'),
}
await sides.troubled.ours.seed(HANGING, [HALF, 2 * HALF])

for (let round = 0; round <= options.rounds; round++) {
  for (const { ours, perSecond } of Object.values(sides)) {
    await ours.seed(options.posts, [0, HALF])
    const rate = await harness.drain(ours, options.posts)
    // The first round warms up the compiler and the caches.
    if (round > 0) perSecond.push(rate)
  }
}
for (const { ours, addresses, latencies } of Object.values(sides)) {
  // Alternates between the healthy half and the other one.
  const webhooks = Array.from({ length: options.events }, (_, n) => (n % 2) * HALF + ((n >> 1) % HALF))
  await ours.start()
  latencies.push(...(await harness.publishSlowly(ours, webhooks, addresses, PUBLISH_PAUSE_MS)).fromCommitted)
  await ours.stop()
}

const [calm, troubled] = [figuresOf('calm'), figuresOf('troubled')]
await saveFigures(HALF === USUAL_HALF ? 'deliveries-isolation' : `deliveries-isolation-${HALF}`, {
  ...options,
  none_hangs: calm,
  half_hangs: troubled,
  throughput_kept: rounded(troubled.per_second / calm.per_second),
  p99_grows_by: rounded(troubled.p99_ms / calm.p99_ms),
})

async function start(name: string, otherPath: string) {
  const addresses = [...healthy, ...harness.addresses(HALF, otherPath)]
  const ours = harness.startOurs(await harness.createDatabase(name), addresses)
  return { ours, addresses, perSecond: [] as number[], latencies: [] as number[] }
}

function figuresOf(side: keyof typeof sides) {
  const { perSecond, latencies } = sides[side]
  return {
    per_second: Math.round(median(perSecond)),
    p50_ms: rounded(quantile(latencies, 0.5), 2),
    p99_ms: rounded(quantile(latencies, 0.99), 2),
  }
}
