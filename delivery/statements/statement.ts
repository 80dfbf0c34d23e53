import type pg from 'pg'
import { openDatabase } from '../../database/database.ts'
import { idFloor } from '../../platform/ids.ts'

/** The engine's statements: few, set-based and named, so that each is planned once per connection. */
export interface Statements {
  run<R extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<R[]>
  /** For many rows: by place instead of by name, which is less work for each. */
  runForRows<R extends unknown[]>(name: string, text: string, values: unknown[]): Promise<R[]>
  close(): Promise<void>
}

/**
 * Each touches a handful of rows by their keys, in tables of millions. The planner knows neither (a set that comes as
 * JSON is "100 rows" to it, and a fresh partition is empty), so that it would rather read a whole day's log and hash it:
 * it is told not to, and to keep its plans.
 */
const PLANNER = {
  enable_seqscan: 'off',
  // Without this a kept plan reads all that is pending of a lane and sorts it, for the sake of the first eight.
  enable_sort: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
}

const DAY_MS = 86_400_000

/**
 * Between which ids a delivery that is not over can lie: it lives 76 hours. Told as values, so that whole days of the log
 * are left out when a kept plan starts; half a day and a day more for clocks that are off.
 */
export const livingIds = (now = Date.now()): [from: string, to: string] => [
  idFloor(now - 4 * DAY_MS),
  idFloor(now + DAY_MS),
]

export function openStatements(url: string): Statements {
  const { pool, close } = openDatabase({
    url,
    schema: 'parley',
    applicationName: 'parley-dispatcher',
    max: 4,
    parameters: PLANNER,
  })
  return {
    run: async <R extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) =>
      (await pool.query<R>({ name, text, values })).rows,
    runForRows: async <R extends unknown[]>(name: string, text: string, values: unknown[]) =>
      (await pool.query<R>({ name, text, values, rowMode: 'array' })).rows,
    close,
  }
}
