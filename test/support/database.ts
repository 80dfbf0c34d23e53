import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** The variable by which the test run tells its files where its PostgreSQL is. */
export const TEST_POSTGRES = 'PARLEY_TEST_POSTGRES'
export const TEMPLATE = 'parley_template'

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** A database of one's own, cloned from the migrated template (about 30 ms). */
export async function testDatabase(): Promise<TestDatabase> {
  return cloneOf(TEMPLATE)
}

/** A database with nothing in it. */
export async function emptyDatabase(): Promise<TestDatabase> {
  return cloneOf('template0')
}

/** A copy of a database. It must have no open connections. */
export async function copyOf({ url }: TestDatabase): Promise<TestDatabase> {
  return cloneOf(new URL(url).pathname.slice(1))
}

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
  if (!server) throw new Error('Run tests with npm test: it starts the PostgreSQL that they need')
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
