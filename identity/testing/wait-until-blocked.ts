import type pg from 'pg'

/** Waits until this many statements in the client's database wait for a lock. */
export async function waitUntilBlocked(client: pg.Client, statements = 1): Promise<void> {
  for (;;) {
    // Within a transaction PostgreSQL would return the same snapshot every time.
    await client.query('select pg_stat_clear_snapshot()')
    const { rows } = await client.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    if (rows.length >= statements) return
  }
}
