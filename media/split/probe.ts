import type { Container } from '../containers/container.ts'
import { MediaFailure } from '../failure.ts'
import { runThread, type ThreadLimits, type ThreadOutcome } from '../run-thread.ts'
import { openWav } from './wav.ts'

/** An hour of audio takes 0.2 s. */
const STALL_MS = 20_000

const PROBE_WORKER = new URL('./probe-worker.ts', import.meta.url)

/** The duration in seconds, from the packets' timestamps: a browser's recording has no duration in its header. */
export async function probeDuration(
  path: string,
  container: Container,
  limits: Partial<ThreadLimits> = {},
): Promise<number> {
  if (container === 'wav') return (await openWav(path)).duration
  const outcome = await runThread<null, number | null>(path, {
    stallMs: STALL_MS,
    worker: PROBE_WORKER,
    ...limits,
  }).catch((error: unknown): ThreadOutcome<null> => {
    throw new MediaFailure('unavailable', 'The recording could not be read from disk.', { cause: error })
  })
  if ('result' in outcome && outcome.result !== null) return outcome.result
  if ('failed' in outcome && outcome.failed === 'stalled')
    throw new MediaFailure('interrupted', 'Reading the duration of the recording took too long.')
  throw new MediaFailure('unreadable', `The recording is not a readable ${container} file.`)
}
