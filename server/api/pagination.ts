import { type SelectQueryBuilder, sql } from 'kysely'
import { z } from 'zod'
import { isUuid } from '../../platform/ids.ts'
import { invalidInput } from './problems.ts'

/** Keyset pagination: the cursor contains the last key, so that new rows do not shift or repeat others. */
export const pageQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(1).max(200))
    .default(50)
    .describe('Maximum number of records')
    .meta({ openapi: { type: 'integer', minimum: 1, maximum: 200, default: 50 } }),
  cursor: z.string().max(1000).optional().describe('`next_cursor` of the previous page'),
})

export type PageQuery = z.output<typeof pageQuery>

/** The schema of a page, named after its records. */
export function pageOf(record: z.ZodType): z.ZodType {
  const known = pages.get(record)
  if (known) return known
  const name = z.globalRegistry.get(record)?.id
  const page = z.object({
    data: z.array(record),
    next_cursor: z.string().nullable().describe('Cursor of the next page; null on the last page'),
  })
  const named = name === undefined ? page : page.meta({ id: `${name}Page` })
  pages.set(record, named)
  return named
}
const pages = new WeakMap<z.ZodType, z.ZodType>()

export interface Page<T> {
  data: T[]
  next_cursor: string | null
}

/** The key after which the page starts, or null for the first page. */
export function cursorKey({ cursor }: PageQuery, isKey: (key: string) => boolean): string | null {
  if (cursor === undefined) return null
  const key = Buffer.from(cursor, 'base64url').toString()
  if (!isKey(key) || toCursor(key) !== cursor)
    throw invalidInput({
      path: 'cursor',
      message: 'is not a cursor of this list. Send the `next_cursor` of its previous page',
    })
  return key
}

const toCursor = (key: string): string => Buffer.from(key).toString('base64url')

/** Makes a page from up to `limit + 1` rows: the extra row shows that there is a next page. */
export function toPage<T>(rows: T[], limit: number, keyOf: (row: T) => string): Page<T> {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, next_cursor: rows.length > limit && last !== undefined ? toCursor(keyOf(last)) : null }
}

/** One page by id, newest first. `rows` must be neither ordered nor limited. */
export const newestFirst = <DB, TB extends keyof DB, Row extends { id: string }, R>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  query: PageQuery,
  toRecord: (row: Row) => R,
) => pageById(rows, query, 'id', 'desc', toRecord)

/** `idColumn` is qualified where joined tables have ids too. */
export async function pageById<DB, TB extends keyof DB, Row extends { id: string }, R>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  query: PageQuery,
  idColumn: string,
  order: 'asc' | 'desc',
  toRecord: (row: Row) => R,
): Promise<Page<R>> {
  const id = sql.ref(idColumn)
  const after = cursorKey(query, isUuid)
  const found = await rows
    .$if(after !== null, (q) => q.where(sql<boolean>`${id} ${sql.raw(order === 'asc' ? '>' : '<')} ${after}`))
    .orderBy(id, order)
    .limit(query.limit + 1)
    .execute()
  const page = toPage(found, query.limit, (row) => row.id)
  return { ...page, data: page.data.map(toRecord) }
}
