import { parentPort, workerData } from 'node:worker_threads'
import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny'
import type { ProbeMessage } from './probe.ts'

const STEP_BYTES = 2 ** 20
const send = (message: ProbeMessage) => parentPort?.postMessage(message)

/** Finds the duration of a recording; see probe.ts for why it has a thread of its own. What the disk does not give is thrown. */
const source = new FilePathSource(workerData as string)
let read = 0
// Reading on counts as progress, reading the same again does not: so there is an end to it.
source.onread = (_, end) => {
  if (end < read + STEP_BYTES) return
  read = end
  send({ kind: 'reading' })
}
using input = new Input({ source, formats: ALL_FORMATS })
const duration = await input.computeDuration().catch((error: unknown) => {
  if (error instanceof Error && 'errno' in error) throw error
  return null
})
send({ kind: 'probed', duration })
