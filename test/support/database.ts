import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** The environment variable with the URL of the test run's PostgreSQL. */
export const TEST_POSTGRES = 'PARLEY_TEST_POSTGRES'
export const TEMPLATE = 'parley_template'

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** A new database, cloned from the migrated template. */
export const testDatabase = (): Promise<TestDatabase> => cloneOf(TEMPLATE)

export const emptyDatabase = (): Promise<TestDatabase> => cloneOf('template0')

/** A copy of a database that has no open connections. */
export const copyOf = ({ url }: TestDatabase): Promise<TestDatabase> =>
  cloneOf(new URL(url).pathname.slice(1))

async function cloneOf(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  // The default strategy writes every page to the WAL, which takes twice the time.
  await onServer((client) => client.query(`create database ${name} template ${template} strategy file_copy`))
  return {
    url: urlOf(name),
    drop: () => onServer((client) => client.query(`drop database if exists ${name} with (force)`)),
  }
}

export function urlOf(database: string): string {
  const server = process.env[TEST_POSTGRES]
  if (!server) throw new Error('Run tests with npm test, which starts PostgreSQL')
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

/** Connects once per process, since a connection costs more than most of the statements on it. */
let server: pg.Pool | null = null

export async function onServer(work: (client: pg.ClientBase) => Promise<unknown>): Promise<void> {
  server ??= new pg.Pool({
    connectionString: urlOf('postgres'),
    max: 2,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  })
    // The server ends its connections at the end of the run.
    .on('error', () => {})
  const client = await server.connect()
  try {
    await work(client)
  } finally {
    client.release()
  }
}
