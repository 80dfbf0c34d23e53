import { OURS } from '../deliveries/children.ts'
import { openHarness } from '../deliveries/harness.ts'
import { measureCost, per } from './meter.ts'

const WEBHOOKS = 100
const isDispatcher = (command: string): boolean => command.includes(OURS)

/**
 * Measures two costs: of publishing an event that has one delivery, in its own transaction as in the service, and of sending a delivery
 * of 1 KiB and recording its result.
 */
export async function measureDeliveries(count: number, events: number) {
  await using harness = await openHarness(2)
  const databaseUrl = await harness.createDatabase('costs')
  const ours = harness.startOurs(databaseUrl, harness.addresses(WEBHOOKS))
  const measure = (work: () => Promise<void>) => measureCost(databaseUrl, isDispatcher, work)
  const drain = async (times: number) => {
    await ours.seed(times)
    return measure(async () => void (await ours.run(times, 0)))
  }
  // Warms up the compiler.
  await ours.publishAll(500)
  await drain(20_000)
  const published = await measure(() => ours.publishAll(events))
  return { event: per(published, events), delivery: per(await drain(count), count) }
}
