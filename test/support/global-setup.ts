import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { migrate } from '../../database/migrate.ts'
import { createLog } from '../../platform/log.ts'
import { JOB_NAMES } from '../../server/background/jobs.ts'
import { createJobs } from '../../server/background/queue.ts'
import { DATABASE_USER } from '../../server/embedded/cluster.ts'
import { EmbeddedPostgres } from '../../server/embedded/postgres.ts'
import { onServer, TEMPLATE, TEST_POSTGRES, urlOf } from './database.ts'

let postgres: EmbeddedPostgres
let folder: string

/** One PostgreSQL for the whole run, and in it one migrated template that each test file clones. */
export async function globalSetup(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, '../../scripts/build.ts')])
  folder = await mkdtemp(join(await parentFolder(), 'parley test '))
  await chmod(folder, 0o711)
  const log = createLog('warn')
  // Data of a test run does not have to survive a crash.
  const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=400']
  postgres = new EmbeddedPostgres({ dataDir: folder, password: 'test', log, settings })
  process.env[TEST_POSTGRES] = await postgres.start()
  await trustConnections()
  await onServer((client) => client.query(`create database ${TEMPLATE}`))
  const url = urlOf(TEMPLATE)
  await migrate({
    url,
    schema: 'parley',
    folder: join(import.meta.dirname, '../../database/migrations'),
    log,
  })
  await migrate({
    url,
    schema: 'identity',
    folder: join(import.meta.dirname, '../../identity/migrations'),
    log,
  })
  const jobs = createJobs({ url, names: JOB_NAMES, supervises: false, log })
  await jobs.start()
  await jobs.stop(1_000)
}

const MEMORY = '/dev/shm'
/** Databases are dropped after their file: four processes took 140 MB. */
const MEMORY_BYTES = 4 * 1024 ** 3

/** In memory, a database is created in a tenth of the time that it takes on a disk. Containers can have little of it. */
async function parentFolder(): Promise<string> {
  const free = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return free > MEMORY_BYTES ? MEMORY : tmpdir()
}

/** The tests open thousands of connections, and the password takes a third of the time of each. Other users still need one. */
async function trustConnections(): Promise<void> {
  const file = join(folder, 'postgres', 'pg_hba.conf')
  const rules = await readFile(file, 'utf8')
  await writeFile(file, `host all ${DATABASE_USER} 127.0.0.1/32 trust\n${rules}`)
  await onServer((client) => client.query('select pg_reload_conf()'))
}

export async function globalTeardown(): Promise<void> {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
