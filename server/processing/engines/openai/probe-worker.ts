import { parentPort, workerData } from 'node:worker_threads'
import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny'

/** Tells how long a recording is; see probe.ts for why it has a thread of its own. What the disk does not give is thrown. */
using input = new Input({ source: new FilePathSource(workerData as string), formats: ALL_FORMATS })
parentPort?.postMessage(
  await input.computeDuration().catch((error: unknown) => {
    if (error instanceof Error && 'errno' in error) throw error
    return null
  }),
)
