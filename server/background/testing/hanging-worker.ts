import { createLog } from '../../../platform/log.ts'
import { createJobs } from '../queue.ts'

/** For the tests: takes one job, says so, and never ends it. */
const jobs = createJobs({ url: process.argv[2] as string, supervises: false, log: createLog('silent') })
await jobs.start()
await jobs.work('report', 1, () => {
  process.stdout.write('taken\n')
  return new Promise(() => {})
})
