import { parentPort, workerData } from 'node:worker_threads'
import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny'
import type { ThreadMessage } from '../run-thread.ts'

const STEP_BYTES = 2 ** 20
const send = (message: ThreadMessage<null, number | null>) => parentPort?.postMessage(message)

/** The thread of `probeDuration`. Disk errors are thrown; null means that the bytes are not audio. */
const source = new FilePathSource(workerData as string)
let read = 0
// Only reading further counts as progress, so the file's size limits how long it takes.
source.onread = (_, end) => {
  if (end < read + STEP_BYTES) return
  read = end
  send({ progress: null })
}
using input = new Input({ source, formats: ALL_FORMATS })
const duration = await input.computeDuration().catch((error: unknown) => {
  if (error instanceof Error && 'errno' in error) throw error
  return null
})
send({ result: duration })
