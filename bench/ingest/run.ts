import { numbersGiven, saveFigures } from '../deliveries/figures.ts'
import { measureCrowd } from './crowd.ts'
import { measureLatency } from './latency.ts'
import { openStage } from './stage.ts'
import { measureThroughput } from './throughput.ts'

/**
 * `node bench/ingest/run.ts [--rounds=3] [--seconds=60] [--conversations=100]`: how fast chunks are taken in durably,
 * beside a bare server; what a crowd of phones costs in memory and in others' patience; how soon a finished conversation is
 * transcribed where the engine takes no time. Writes about ten gigabytes to the temporary folder, and takes them away: wait for
 * five minutes before the next run, since ext4 without a journal makes files at half the speed where some were deleted just now.
 */
const given = numbersGiven({ rounds: 3, seconds: 60, conversations: 100 })
const GOALS = { large: 0.8, small: 0.5, memory_mb: 300, read_p99_grows_by: 2, transcribed_p50_ms: 100 }
const LARGE = { bytes: 8 * 1024 * 1024, uploads: 96, warmUp: 1 }
/** The compiler was at work for the first 12,000 of them; a service runs for months. */
const SMALL = { bytes: 120 * 1024, uploads: 4_000, warmUp: 3 }

await using stage = await openStage()
// In this order: the later ones leave thousands of jobs, and memory that was once needed.
const latency = await measureLatency(stage, given.conversations)
const crowd = await measureCrowd(stage, given.seconds)
const large = await measureThroughput(stage, LARGE, given.rounds)
const small = await measureThroughput(stage, SMALL, given.rounds)
await saveFigures('ingest', { goals: GOALS, large, small, crowd, latency })
