import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny'
import { runTasks } from '../run-tasks.ts'

const STEP_BYTES = 2 ** 20

/** The thread of `probeDuration`. Disk errors are thrown; null means that the bytes are not audio. */
runTasks<string, null, number | null>(async (path, report) => {
  const source = new FilePathSource(path)
  let read = 0
  // Only reading further counts as progress, so the file's size limits how long it takes.
  source.onread = (_, end) => {
    if (end < read + STEP_BYTES) return
    read = end
    report(null)
  }
  using input = new Input({ source, formats: ALL_FORMATS })
  return await input.computeDuration().catch((error: unknown) => {
    if (error instanceof Error && 'errno' in error) throw error
    return null
  })
})
