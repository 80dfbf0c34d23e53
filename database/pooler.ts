import type pg from 'pg'
import { StartupError } from '../platform/startup-error.ts'

/**
 * A pooler such as PgBouncer passes no settings from a client to PostgreSQL, and in transaction mode each transaction can run on
 * a different connection. So the role has to have the settings that a direct connection sends at its start.
 */
const ROLE_SETTINGS = {
  search_path: 'parley',
  jit: 'off',
  TimeZone: 'UTC',
  statement_timeout: '10s',
  idle_in_transaction_session_timeout: '15s',
}

interface Found {
  role: string
  database: string
  settings: string[]
}

/** Throws an error with the SQL to run if connections through the pooler lack a setting. */
export async function checkRoleSettings(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<Found>(
    `select quote_ident(current_user) as role, quote_ident(current_database()) as database,
       (select array_agg(current_setting(name) order by n) from unnest($1::text[]) with ordinality as one (name, n)) as settings`,
    [Object.keys(ROLE_SETTINGS)],
  )
  const { role, database, settings } = rows[0] as Found
  const missing = Object.entries(ROLE_SETTINGS).filter(([, value], index) => settings[index] !== value)
  if (missing.length === 0) return
  const statements = missing.map(
    ([name, value]) => `  alter role ${role} in database ${database} set ${name} = '${value}';`,
  )
  throw new StartupError(
    `DATABASE_DIRECT_URL is set, so DATABASE_URL is treated as a connection pooler. Connections through it lack required settings. Run this SQL, restart the pooler, then start Parley again:\n${statements.join('\n')}`,
  )
}
