import pg from 'pg'
import { cpuBy } from '../process-cpu.ts'

/** CPU time in milliseconds and bytes that some work took. */
export interface Cost {
  /** The sum of the processes that `isService` selects. */
  service_cpu_ms: number
  postgres_cpu_ms: number
  /** Written to the write-ahead log, which standbys and archives receive, too. */
  wal_bytes: number
  /** By which the tables and their indexes grew. */
  database_bytes: number
}

/** Measures work on one PostgreSQL server and one of its databases. */
export async function measureCost(
  databaseUrl: string,
  isService: (command: string) => boolean,
  work: () => Promise<void>,
): Promise<Cost> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    // The first change of a page after a checkpoint writes the whole page to the log, so all runs begin after a checkpoint.
    await client.query('checkpoint')
    const before = await read(client, isService)
    await work()
    const after = await read(client, isService)
    return {
      service_cpu_ms: 1_000 * (after.service - before.service),
      postgres_cpu_ms: 1_000 * (after.postgres - before.postgres),
      wal_bytes: after.wal - before.wal,
      database_bytes: after.database - before.database,
    }
  } finally {
    await client.end()
  }
}

async function read(client: pg.Client, isService: (command: string) => boolean) {
  const cpu = cpuBy((command) => {
    if (command.includes('postgres')) return 'postgres'
    return isService(command) ? 'service' : 'other'
  })
  const { rows } = await client.query<{ wal: string; database: string }>(
    `select pg_current_wal_lsn() - '0/0'::pg_lsn as wal, pg_database_size(current_database()) as database`,
  )
  return {
    service: cpu.get('service') ?? 0,
    postgres: cpu.get('postgres') ?? 0,
    wal: Number(rows[0]?.wal),
    database: Number(rows[0]?.database),
  }
}

export const per = (cost: Cost, count: number): Cost => combine(cost, (value) => value / count)

/** The cost of each of `count` further units: the difference of two costs, divided. */
export function added(large: Cost, small: Cost, count: number): Cost {
  return combine(large, (value, name) => (value - small[name]) / count)
}

function combine(cost: Cost, change: (value: number, name: keyof Cost) => number): Cost {
  const entries = (Object.entries(cost) as [keyof Cost, number][]).map(([name, value]) => [
    name,
    Number(change(value, name).toFixed(name.endsWith('_ms') ? 4 : 0)),
  ])
  return Object.fromEntries(entries) as Cost
}
