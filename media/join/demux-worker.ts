import { runTasks } from '../run-tasks.ts'
import { type Copied, copyCompatible } from './copy-packets.ts'
import { isDiskError } from './file-spans.ts'
import type { DemuxTask } from './run-demux-worker.ts'
import type { SourceFile } from './source-file.ts'

const REPORT_INTERVAL_MS = 1_000

/** The thread of `runDemuxWorker`. Its progress is the number of the part being read. */
runTasks<DemuxTask, number, Copied>(({ files, target, failOnTransient }, report) => {
  let reported: SourceFile | null = null
  let reportedAt = 0
  const onRead = (file: SourceFile): void => {
    if (file === reported && performance.now() - reportedAt < REPORT_INTERVAL_MS) return
    reported = file
    reportedAt = performance.now()
    report(file.parts[0] ?? 0)
  }
  const onUnreadable = (error: unknown): void => {
    if (failOnTransient && isDiskError(error)) throw error
  }
  return copyCompatible(files, target, { onRead, onUnreadable })
})
