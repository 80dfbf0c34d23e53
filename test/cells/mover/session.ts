import pg from 'pg'

/** A cell as the mover and the router see it. */
export interface CellAddress {
  name: string
  databaseUrl: string
  /** The address of its API. */
  url: string
  filesUrl: string
}

/** Functions of triggers name tables without their schema. Times must read the same in both cells, because rows are compared. */
const SETTINGS = '-c search_path=parley -c timezone=UTC -c idle_in_transaction_session_timeout=0'

/**
 * A connection that only one mover of this organisation has. PostgreSQL keeps the lock until the last statement of a killed mover has
 * ended, so the next one finds either all or nothing of its transaction.
 */
export async function openSession(cell: CellAddress, organisation: string): Promise<pg.Client> {
  const client = await connect(cell)
  await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [`move of ${organisation}`])
  return client
}

export async function connect({ databaseUrl, name }: CellAddress): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'parley-cell-mover',
    options: SETTINGS,
    keepAlive: true,
  })
  client.on('error', (error) => console.error(`The connection to ${name} broke: ${error.message}`))
  await client.connect()
  return client
}

/** Whether the organisation's rows are in this cell. */
export async function hasOrganisation(client: pg.Client, organisation: string): Promise<boolean> {
  const { rowCount } = await client.query('select from organisations where id = $1', [organisation])
  return rowCount === 1
}
