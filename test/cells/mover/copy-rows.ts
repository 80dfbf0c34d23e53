import type pg from 'pg'
import { MOVED_TABLES, type MovedTable } from '../tables/moved-tables.ts'
import { readColumns } from '../tables/schema.ts'
import { NotQuiet } from './quiesce.ts'
import { reach } from './steps.ts'

const BATCH_SIZE = 500

/** Number and content of rows. The sum of their hashes does not depend on their order. */
interface Measure {
  count: number
  digest: string
}

const MEASURE = `count(*)::integer as count, coalesce(sum(hashtextextended(to_json(r)::text, 0)), 0)::text as digest`

const NOTHING: Measure = { count: 0, digest: '0' }

/** The rows of one table as the target gets them. */
export interface Selection {
  table: MovedTable
  /** Quoted. */
  names: string[]
  /** Expressions over a row `t`. */
  values: string
}

export interface CopiedTable extends Selection {
  copied: Measure
}

/** Copies every row of the organisation, within the transactions of both connections. */
export async function copyRows(
  source: pg.Client,
  target: pg.Client,
  organisation: string,
  selections: readonly Selection[],
): Promise<CopiedTable[]> {
  const copied: CopiedTable[] = []
  for (const selection of selections) {
    const read = await copyTable(source, target, selection, organisation)
    const written = read === 0 ? NOTHING : await measureCopy(target, selection, organisation)
    if (!selection.table.shared && read !== written.count)
      throw new Error(`${read} rows of ${selection.table.name} were read, and ${written.count} written.`)
    copied.push({ ...selection, copied: written })
    if (copied.length === Math.floor(MOVED_TABLES.length / 2)) reach('half of the tables copied')
  }
  return copied
}

async function measureCopy(
  target: pg.Client,
  { table, values }: Selection,
  organisation: string,
): Promise<Measure> {
  const { rows } = await target.query<Measure>(
    `select ${MEASURE} from (select ${values} from ${table.name} t where ${table.belongs}) r`,
    [organisation],
  )
  return rows[0] as Measure
}

/** The columns of every table. They do not depend on the organisation, so they are read before its requests are held. */
export async function selectTables(source: pg.Client): Promise<Selection[]> {
  const columns = Map.groupBy(await readColumns(source), ({ table }) => table)
  return MOVED_TABLES.map((table) => {
    const moved = (columns.get(table.name) ?? []).filter(({ isGenerated }) => !isGenerated)
    const values = moved.map(({ name }) => {
      const value = table.replaced?.[name]
      return value === undefined ? `t."${name}"` : `${value} as "${name}"`
    })
    return { table, names: moved.map(({ name }) => `"${name}"`), values: values.join(', ') }
  })
}

/** Returns how many rows it has read. */
async function copyTable(
  source: pg.Client,
  target: pg.Client,
  { table, names, values }: Selection,
  organisation: string,
): Promise<number> {
  const { name, belongs, shared = 'false', withoutTriggers } = table
  const insert = `insert into ${name} (${names.join(', ')}) overriding system value
    select ${names.join(', ')} from json_populate_recordset(null::${name}, $1::json)
    ${table.shared ? 'on conflict do nothing' : ''}`
  if (withoutTriggers) await setTriggers(target, false)
  await source.query(
    `declare moved no scroll cursor for
     select to_json(r)::text as row from (select ${values} from ${name} t where (${belongs}) or (${shared})) r`,
    [organisation],
  )
  const fetchNext = () => source.query<{ row: string }>(`fetch ${BATCH_SIZE} from moved`)
  let read = 0
  let next = await fetchNext()
  while (next.rows.length > 0) {
    const { rows } = next
    read += rows.length
    // As text: numbers with more digits than JavaScript has stay as they are.
    const inserted = target.query(insert, [`[${rows.map(({ row }) => row).join(',')}]`])
    ;[next] = await Promise.all([fetchNext(), inserted])
  }
  await source.query('close moved')
  if (withoutTriggers) await setTriggers(target, true)
  return read
}

/**
 * Deletes the rows, from the last table to the first, so that no row refers to a deleted one. Each deleted row must be the one that was
 * copied.
 */
export async function deleteRows(
  source: pg.Client,
  organisation: string,
  tables: readonly CopiedTable[],
): Promise<void> {
  for (const { table, values, copied } of tables.toReversed()) {
    if (table.withoutTriggers) await setTriggers(source, false)
    const { rows } = await source.query<Measure>(
      `with r as (delete from ${table.name} t where ${table.belongs} returning ${values}) select ${MEASURE} from r`,
      [organisation],
    )
    if (table.withoutTriggers) await setTriggers(source, true)
    const [deleted] = rows
    if (deleted?.count !== copied.count || deleted.digest !== copied.digest)
      throw new NotQuiet(`Rows of ${table.name} changed while they were copied.`)
  }
}

/** Turns triggers off or on, and with them the checks of foreign keys. */
const setTriggers = (client: pg.Client, areOn: boolean): Promise<unknown> =>
  client.query(`set local session_replication_role = ${areOn ? 'origin' : 'replica'}`)
