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
  await onServer((client) => client.query(`create database ${name} template ${template}`))
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

export async function onServer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf('postgres') })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
