import { parseNumberOptions, saveFigures } from '../deliveries/figures.ts'
import { measureCrowd } from './crowd.ts'
import { startFixtures } from './fixtures.ts'
import { measureLatency } from './latency.ts'
import { measureThroughput } from './throughput.ts'

/**
 * `node bench/ingest/run.ts [--rounds=3] [--seconds=60] [--conversations=100]`: the throughput of durable chunks compared with a
 * bare server; memory and the latency of reads while a crowd records; the time from finish to transcript with an instant engine.
 * Writes about 10 GB to the temporary folder and deletes them. Wait five minutes before the next run: after deletions, ext4
 * without a journal creates files at half the speed.
 */
const options = parseNumberOptions({ rounds: 3, seconds: 60, conversations: 100 })
const GOALS = { large: 0.8, small: 0.5, memory_mb: 300, read_p99_grows_by: 2, transcribed_p50_ms: 100 }
const LARGE = { bytes: 8 * 1024 * 1024, uploads: 96, warmUp: 1 }
/** The compiler optimises during the first 12,000 uploads, which are therefore not measured. */
const SMALL = { bytes: 120 * 1024, uploads: 4_000, warmUp: 3 }

await using fixtures = await startFixtures()
// In this order, because the later ones leave thousands of jobs and a larger heap.
const latency = await measureLatency(fixtures, options.conversations)
const crowd = await measureCrowd(fixtures, options.seconds)
const large = await measureThroughput(fixtures, LARGE, options.rounds)
const small = await measureThroughput(fixtures, SMALL, options.rounds)
await saveFigures('ingest', { goals: GOALS, large, small, crowd, latency })
