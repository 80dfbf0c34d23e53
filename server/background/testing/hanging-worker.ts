import { createLog } from '../../../platform/log.ts'
import { createJobs } from '../queue.ts'

/** For the tests: takes one job, prints `taken`, and never finishes it. */
const jobs = createJobs({
  url: process.argv[2] as string,
  names: ['report'],
  supervises: false,
  log: createLog('silent'),
})
await jobs.start()
await jobs.work('report', 1, () => {
  process.stdout.write('taken\n')
  return new Promise(() => {})
})
