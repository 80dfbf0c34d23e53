import { after, before } from 'node:test'
import { type Database, inTransaction, openDatabase } from '../../../database/database.ts'
import { createLog } from '../../../platform/log.ts'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { JOB_NAMES } from '../jobs.ts'
import { createJobs, type JobData, type Jobs } from '../queue.ts'

export const log = createLog('silent')
export let own: TestDatabase
export let database: Database
/** Accepts any data. */
export let jobs: Jobs

/** Starts a queue on a new database before the tests of a file, and stops it after them. */
export function setUpQueue(): void {
  before(async () => {
    own = await testDatabase()
    database = openDatabase({ url: own.url, schema: 'parley', applicationName: 'test' })
    jobs = createJobs({ url: own.url, names: JOB_NAMES, supervises: true, log })
    await jobs.start()
  })
  after(async () => {
    await jobs.stop(500)
    await database.close()
    await own.drop()
  })
}

export const enqueue = (name: string, data: JobData, options = {}) =>
  inTransaction(database.db, (tx) => jobs.enqueue(tx, name, data, options))
