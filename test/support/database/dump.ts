import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'

interface Column {
  table: string
  column: string
  type: string
}

/** The tables that contain the word in any column, also as bytes, and the files that contain it. */
export async function findWord(word: string, pool: pg.Pool, filesFolder: string): Promise<string[]> {
  return [...(await tablesWith(word, pool)), ...(await filesWith(word, filesFolder))]
}

async function tablesWith(word: string, pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<Column>(
    `select format('%I.%I', n.nspname, c.relname) as table, quote_ident(a.attname) as column,
       format_type(a.atttypid, null) as type
     from pg_attribute a
     join pg_class c on c.oid = a.attrelid and c.relkind = 'r'
     join pg_namespace n on n.oid = c.relnamespace and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
     where a.attnum > 0 and not a.attisdropped`,
  )
  const tables: string[] = []
  for (const [table, columns] of Map.groupBy(rows, (row) => row.table)) {
    const { rowCount } = await pool.query(
      `select from ${table} where ${columns.map(asText).join(` || ' ' || `)} ilike '%' || $1 || '%' limit 1`,
      [word],
    )
    if (rowCount !== 0) tables.push(table)
  }
  return tables
}

const asText = ({ column, type }: Column): string =>
  `coalesce(${type === 'bytea' ? `encode(${column}, 'escape')` : `${column}::text`}, '')`

async function filesWith(word: string, folder: string): Promise<string[]> {
  const paths = await filesBelow(folder)
  const hits = await Promise.all(
    paths.map(async (path) => (await readFile(path).catch(orGone(Buffer.of()))).includes(word)),
  )
  return paths.filter((_, i) => hits[i])
}

/** All files below the folder; other processes can remove some during the search. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(orGone([]))
  const paths = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? filesBelow(path) : [path]
    }),
  )
  return paths.flat()
}

const orGone =
  <T>(nothing: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return nothing
    throw error
  }
