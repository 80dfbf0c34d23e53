import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadMessage } from '../run-thread.ts'
import { type Copied, copyCompatible } from './copy-packets.ts'
import { isDiskError } from './read-source-file.ts'
import type { DemuxTask } from './run-demux-worker.ts'
import type { SourceFile } from './source-file.ts'

/** The thread of `runDemuxWorker`. Its progress is the number of the part being read. */
const { files, target, failOnTransient } = workerData as DemuxTask
const send = (message: ThreadMessage<number, Copied>) => parentPort?.postMessage(message)

const REPORT_INTERVAL_MS = 1_000
let reported: SourceFile | null = null
let reportedAt = 0

function reportPosition(file: SourceFile): void {
  if (file === reported && performance.now() - reportedAt < REPORT_INTERVAL_MS) return
  reported = file
  reportedAt = performance.now()
  send({ progress: file.parts[0] ?? 0 })
}

function onUnreadable(error: unknown): void {
  if (failOnTransient && isDiskError(error)) throw error
}

send({ result: await copyCompatible(files, target, { onRead: reportPosition, onUnreadable }) })
