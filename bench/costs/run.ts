import { parseNumberOptions, saveFigures } from '../deliveries/figures.ts'
import { measureDeliveries } from './deliveries.ts'
import { measureRecordings } from './recordings.ts'

/**
 * `node bench/costs/run.ts [--deliveries=100000] [--events=5000] [--conversations=100]`: the CPU time, the write-ahead log and the
 * stored bytes of one event, delivery, conversation and minute of audio.
 */
const options = parseNumberOptions({ deliveries: 100_000, events: 5_000, conversations: 100 })
const { event, delivery } = await measureDeliveries(options.deliveries, options.events)
const recordings = await measureRecordings(options.conversations)
await saveFigures('costs', { ...options, event, delivery, ...recordings })
