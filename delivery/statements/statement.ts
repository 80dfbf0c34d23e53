import { CompiledQuery } from 'kysely'
import { type Db, openDatabase, type Tx } from '../../database/database.ts'

/** SQL whose parameters are written `:name`. `P` are the parameters, `R` is a row of the result. */
export interface Statement<P extends object, R> {
  /** PostgreSQL plans a named statement once per connection. */
  name: string
  text: string
  /** Rows come as arrays, which take less time to read than objects. */
  asArrays: boolean
  valuesOf(parameters: P): unknown[]
  /** For the type only. */
  row?: R
}

/** Call it when the module loads: `:name` becomes `$1` there, and a call only puts its values in order. */
export function statement<P extends object, R = object>(
  name: string,
  sql: string,
  asArrays = false,
): Statement<P, R> {
  const names: (keyof P)[] = []
  // Not the second colon of a cast such as `::uuid`.
  const text = sql.replace(/(?<!:):([a-z]\w*)/gi, (_match, parameter: string) => {
    const key = parameter as keyof P
    if (!names.includes(key)) names.push(key)
    return `$${names.indexOf(key) + 1}`
  })
  return { name, text, asArrays, valuesOf: (parameters) => names.map((key) => parameters[key]) }
}

/** Runs it in the caller's transaction, or on the API's pool. */
export async function execute<P extends object, R>(
  db: Db | Tx,
  { text, valuesOf }: Statement<P, R>,
  parameters: P,
): Promise<{ rows: R[]; count: number }> {
  const { rows, numAffectedRows } = await db.executeQuery<R>(CompiledQuery.raw(text, valuesOf(parameters)))
  return { rows, count: Number(numAffectedRows ?? 0) }
}

export type Statements = ReturnType<typeof openStatements>

/**
 * Each statement touches a few rows by their keys, in tables of millions. The planner knows neither: an array parameter is
 * "100 rows" to it, and a new partition is empty. It would read and hash a whole day's log, so these settings forbid that.
 */
export const PLANNER = {
  enable_seqscan: 'off',
  // With sorting, a generic plan reads all pending deliveries of a queue and sorts them, to return the first eight.
  enable_sort: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
}

/** The connections of a dispatcher. */
export function openStatements(url: string) {
  const { pool, close } = openDatabase({
    url,
    schema: 'parley',
    applicationName: 'parley-dispatcher',
    max: 4,
    parameters: PLANNER,
  })
  return {
    async run<P extends object, R>(of: Statement<P, R>, parameters: P): Promise<R[]> {
      const { name, text, asArrays, valuesOf } = of
      const mode = asArrays ? { rowMode: 'array' } : {}
      return (await pool.query({ name, text, values: valuesOf(parameters), ...mode })).rows as R[]
    },
    close,
  }
}
