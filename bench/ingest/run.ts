import { numbersGiven, saveFigures } from '../deliveries/figures.ts'
import { measureCrowd } from './crowd.ts'
import { measureLatency } from './latency.ts'
import { openStage } from './stage.ts'
import { measureThroughput } from './throughput.ts'

/**
 * `node bench/ingest/run.ts [--rounds=3] [--seconds=60] [--conversations=100]`: how fast chunks are taken in durably,
 * beside a bare server; what a crowd of phones costs in memory and in others' patience; how soon a finished conversation is
 * transcribed where the engine takes no time. Writes about ten gigabytes to the temporary folder, and takes them away.
 */
const given = numbersGiven({ rounds: 3, seconds: 60, conversations: 100 })
const GOALS = { large: 0.8, small: 0.5, memory_mb: 300, read_p99_grows_by: 2, transcribed_p50_ms: 100 }

await using stage = await openStage()
// In this order: the later ones leave thousands of jobs, and memory that was once needed.
const latency = await measureLatency(stage, given.conversations)
const crowd = await measureCrowd(stage, given.seconds)
const large = await measureThroughput(stage, 8 * 1024 * 1024, 96, given.rounds)
const small = await measureThroughput(stage, 120 * 1024, 2_000, given.rounds)
await saveFigures('ingest', { goals: GOALS, large, small, crowd, latency })
