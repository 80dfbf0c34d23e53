import type { ClientBase } from 'pg'

export interface Column {
  /** With the schema. */
  table: string
  name: string
  type: string
  /** PostgreSQL computes the value, so it cannot be inserted. */
  isGenerated: boolean
}

/** A foreign key of one column. */
export interface Reference {
  from: string
  column: string
  to: string
  toColumn: string
}

/** The tables of the service, without partitions: their rows are reached through the parent. */
const TABLES = `
  pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname in ('parley', 'jobs')
    and c.relkind in ('r', 'p') and not c.relispartition`
const NAME = `n.nspname || '.' || c.relname`

/** In the order in which a table has them. */
export async function readColumns(client: Pick<ClientBase, 'query'>): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select ${NAME} as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
       a.attgenerated <> '' as "isGenerated"
     from pg_attribute a join ${TABLES} on c.oid = a.attrelid
     where a.attnum > 0 and not a.attisdropped
     order by 1, a.attnum`,
  )
  return rows
}

export async function readReferences(client: Pick<ClientBase, 'query'>): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(
    `select ${NAME} as "from", a.attname as "column", tn.nspname || '.' || t.relname as "to", ta.attname as "toColumn"
     from pg_constraint k join ${TABLES} on c.oid = k.conrelid
     join pg_class t on t.oid = k.confrelid
     join pg_namespace tn on tn.oid = t.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
     join pg_attribute ta on ta.attrelid = t.oid and ta.attnum = k.confkey[1]
     where k.contype = 'f' and cardinality(k.conkey) = 1
     order by 1, 2`,
  )
  return rows
}

/** Columns that name a row, a user or a transaction, and are neither a foreign key nor the only column of the primary key. */
export async function readUnboundColumns(client: Pick<ClientBase, 'query'>): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select ${NAME} || '.' || a.attname as name
     from pg_attribute a join ${TABLES} on c.oid = a.attrelid
     where a.attnum > 0 and not a.attisdropped
       and (a.atttypid in ('uuid'::regtype, 'uuid[]'::regtype, 'xid8'::regtype) or a.attname ~ '_(id|ids|by)$')
       and not exists (
         select from pg_constraint k where k.conrelid = c.oid
           and (k.contype = 'f' and a.attnum = any(k.conkey) or k.contype = 'p' and k.conkey = array[a.attnum]))
     order by 1`,
  )
  return rows.map(({ name }) => name)
}
