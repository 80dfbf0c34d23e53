import { parseNumberOptions, quantile, rounded, saveFigures } from './figures.ts'
import { openHarness } from './harness.ts'

/**
 * `node bench/deliveries/latency.ts [--events=500] [--pause=20]`: on an idle system, the time from the commit of an
 * event to the first byte of its post at the receiver. Goal: at most 10 ms at the median and 50 ms at p99.
 */
const options = parseNumberOptions({ events: 500, pause: 20 })
const WEBHOOKS = 100
const WARM_UP = 100

await using harness = await openHarness()
const addresses = harness.addresses(WEBHOOKS)
const ours = harness.startOurs(await harness.createDatabase('latency'), addresses)
await ours.start()
const publish = (count: number) => {
  const webhooks = Array.from({ length: count }, (_, n) => n % WEBHOOKS)
  return harness.publishSlowly(ours, webhooks, addresses, options.pause)
}
await publish(WARM_UP)
const { fromCommitted, fromSent } = await publish(options.events)
await ours.stop()

await saveFigures('deliveries-latency', {
  events: options.events,
  p50_ms: rounded(quantile(fromCommitted, 0.5), 2),
  p99_ms: rounded(quantile(fromCommitted, 0.99), 2),
  // The commit itself, which waits for the disk, included.
  p50_with_commit_ms: rounded(quantile(fromSent, 0.5), 2),
  p99_with_commit_ms: rounded(quantile(fromSent, 0.99), 2),
})
