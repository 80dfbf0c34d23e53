import type pg from 'pg'

/** Until so many statements in the client's database wait for a lock. */
export async function untilBlocked(client: pg.Client, statements = 1): Promise<void> {
  for (;;) {
    // Within a transaction PostgreSQL would show the same picture again and again.
    await client.query('select pg_stat_clear_snapshot()')
    const { rows } = await client.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    if (rows.length >= statements) return
  }
}
