import { MediaFailure } from '../failure.ts'
import { runThread, type ThreadLimits } from '../run-thread.ts'
import type { Copied } from './copy-packets.ts'
import type { SourceFile } from './source-file.ts'

export interface DemuxTask {
  files: SourceFile[]
  target: string
  /** Whether to reject on errors that can pass. Otherwise the affected file is skipped. */
  failOnTransient: boolean
}

/** Each failed attempt costs up to the CPU limit. A conversation with more such files is not joined, and its chunks are served one by one. */
const MAX_FAILED_FILES = 4

const DEMUX_WORKER = new URL('./demux-worker.ts', import.meta.url)

/** Copies packets in a worker thread. A file on which the thread loops, stalls or throws is skipped, and the others are tried again. */
export async function runDemuxWorker(
  task: DemuxTask,
  signal: AbortSignal,
  limits: Partial<ThreadLimits> & Pick<ThreadLimits, 'stallMs'>,
): Promise<Copied> {
  let { files } = task
  for (let failed = 0; failed <= MAX_FAILED_FILES; failed++) {
    let part = files[0]?.parts[0] ?? 0
    const onProgress = (reading: number) => {
      part = reading
    }
    const outcome = await runThread<number, Copied>(
      { ...task, files },
      { worker: DEMUX_WORKER, ...limits },
      onProgress,
      signal,
    )
    if ('result' in outcome) return outcome.result
    if (task.failOnTransient && outcome.failed === 'stalled') throw new Error('the demuxer made no progress')
    files = files.filter(({ parts }) => parts[0] !== part)
  }
  throw new MediaFailure('unreadable', 'The demuxer loops, stalls or fails on too many parts.')
}
