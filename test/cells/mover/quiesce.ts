import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { MOVED_TABLES } from '../tables/moved-tables.ts'

/** The organisation has jobs that take longer. It continues at the source, and can be moved later. */
export class NotQuiet extends Error {}

/** The exit code of a mover that ended with `NotQuiet`. */
export const BUSY_EXIT_CODE = 3

const JOBS = MOVED_TABLES.find(({ name }) => name === 'jobs.job')?.belongs
const LOCK_JOBS = `select id from jobs.job t where ${JOBS} and t.state < 'active' for update skip locked`
const COUNT_JOBS = `select count(*)::integer as count from jobs.job t where ${JOBS} and t.state < 'completed'`
const WAIT_LIMIT_MS = 20_000
const POLL_MS = 20
const DEADLOCK = '40P01'

/** Changes lock one of these rows, or add a row that refers to one. */
const LOCKED = ['organisations', 'workspaces', 'projects', 'webhooks', 'reports', 'conversations']

/**
 * Within the transaction of `source`: no job of the organisation runs or is taken by a worker, and its rows do not change. Workers skip
 * locked jobs, so those that run come to their end and the jobs that they add are locked, too.
 */
export async function quiesce(source: pg.Client, organisation: string): Promise<void> {
  await waitForJobs(source, organisation)
  await lockRows(source, organisation).catch((error: unknown) => {
    if (error instanceof pg.DatabaseError && error.code === DEADLOCK)
      throw new NotQuiet('A change of the organisation was in progress.')
    throw error
  })
  // A periodic task can have added jobs before its rows were locked.
  if (!(await holdsAllJobs(source, organisation))) throw new NotQuiet('A job was started in the last moment.')
}

async function lockRows(source: pg.Client, organisation: string): Promise<void> {
  for (const name of LOCKED) {
    const table = MOVED_TABLES.find((each) => each.name === `parley.${name}`)
    await source.query(`select from ${table?.name} t where ${table?.belongs} for update`, [organisation])
  }
}

async function waitForJobs(source: pg.Client, organisation: string): Promise<void> {
  const deadline = performance.now() + WAIT_LIMIT_MS
  while (!(await holdsAllJobs(source, organisation))) {
    if (performance.now() > deadline)
      throw new NotQuiet(`Jobs of the organisation did not end within ${WAIT_LIMIT_MS / 1000} s.`)
    await pause(POLL_MS)
  }
}

/** A job that a worker is just taking is neither locked here nor running, and still counts as unfinished. */
async function holdsAllJobs(source: pg.Client, organisation: string): Promise<boolean> {
  const { rowCount } = await source.query(LOCK_JOBS, [organisation])
  const { rows } = await source.query<{ count: number }>(COUNT_JOBS, [organisation])
  return rows[0]?.count === rowCount
}
