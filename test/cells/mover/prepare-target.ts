import type pg from 'pg'
import { readColumns } from '../tables/schema.ts'

/** Work that does not depend on the rows to move, so that the organisation does not wait for it. */
export async function prepareTarget(source: pg.Client, target: pg.Client): Promise<void> {
  await requireSameSchema(source, target)
  await addPartitions(source, target)
  await advanceTransactions(target, (await nextTransaction(source)) + MARGIN)
}

/** Rows are copied column by column: both cells must run the same version. */
async function requireSameSchema(source: pg.Client, target: pg.Client): Promise<void> {
  const describe = async (client: pg.Client) =>
    new Set((await readColumns(client)).map(({ table, name, type }) => `${table}.${name} ${type}`))
  const different = [...(await describe(source)).symmetricDifference(await describe(target))]
  if (different.length > 0) throw new Error(`The cells have different schemas: ${different.join(', ')}`)
}

/** The log of deliveries has a partition for each day. Rows of other days would be stored in the default partition. */
async function addPartitions(source: pg.Client, target: pg.Client): Promise<void> {
  const days = async (client: pg.Client) => {
    const { rows } = await client.query<{ day: string }>(
      `select right(c.relname, 8) as day from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'deliveries'::regclass and c.relname ~ '_[0-9]{8}$'`,
    )
    return new Set(rows.map(({ day }) => day))
  }
  for (const day of (await days(source)).difference(await days(target)))
    await target.query(`select add_partitions(to_date($1, 'YYYYMMDD'))`, [day])
}

/** Transactions that the source starts between the preparation and the copy, at most. */
const MARGIN = 10_000n
const TRANSACTIONS_PER_STATEMENT = 50_000n

/**
 * Event streams and lists name the transaction that wrote a row. A position from the source stays valid at the target if new rows have
 * higher transactions there, so the target skips those that the source has used.
 */
async function advanceTransactions(target: pg.Client, until: bigint): Promise<void> {
  await target.query('set synchronous_commit = off')
  for (let next = await nextTransaction(target); next < until; next = await nextTransaction(target)) {
    const missing = until - next
    const count = missing < TRANSACTIONS_PER_STATEMENT ? missing : TRANSACTIONS_PER_STATEMENT
    await target.query(
      `do $$ begin for n in 1..${count} loop perform pg_current_xact_id(); commit; end loop; end $$`,
    )
  }
  await target.query('reset synchronous_commit')
}

/** Higher than every transaction that clients can know. */
export async function nextTransaction(client: pg.Client): Promise<bigint> {
  const { rows } = await client.query<{ next: string }>(
    'select pg_snapshot_xmax(pg_current_snapshot())::text as next',
  )
  return BigInt(rows[0]?.next ?? 0)
}
