import type { AddressInfo } from 'node:net'
import { isIPv6 } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import type { Logger } from '../platform/log.ts'
import { createApp } from './app.ts'
import { deleteOldAddresses } from './auth/known-addresses.ts'
import { createPasswords } from './auth/passwords.ts'
import { deleteExpiredSessions } from './auth/sessions.ts'
import { ensureAdmin, type ShowAdmin } from './bootstrap.ts'
import type { Settings } from './config.ts'
import { updateServiceUser } from './service-user.ts'
import type { IdentityDb, IdentityTables } from './tables.ts'

const SCHEMA = 'identity'
const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url))
const HOUR_MS = 3_600_000
/** What is under way gets this long when the store stops. */
const STOP_MS = 5_000

export interface RunningStore {
  url: string
  stop(): Promise<void>
}

/** Brings the store up: schema, its own user, the first administrator, then the port. */
export async function startStore(
  settings: Settings,
  log: Logger,
  showAdmin: ShowAdmin,
): Promise<RunningStore> {
  await migrate({ url: settings.DATABASE_URL, schema: SCHEMA, folder: MIGRATIONS, log })
  const database = openDatabase<IdentityTables>({
    url: settings.DATABASE_URL,
    schema: SCHEMA,
    applicationName: 'parley-identity',
  })
  try {
    const passwords = createPasswords()
    await deleteExpired(database.db)
    await updateServiceUser(database.db, settings.IDENTITY_TOKEN)
    await ensureAdmin(database.db, settings, passwords, showAdmin)
    const app = await createApp({ db: database.db, settings, log, passwords })
    const url = await listen(app, settings)
    const sweep = sweepHourly(database.db, log)
    return { url, stop: () => stop(app, sweep, database.close) }
  } catch (error) {
    await database.close()
    throw error
  }
}

async function listen(app: FastifyInstance, { HOST, IDENTITY_PORT }: Settings): Promise<string> {
  try {
    await app.listen({ host: HOST, port: IDENTITY_PORT })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new Error(
      `Port ${IDENTITY_PORT} of ${HOST} is taken by another program: set IDENTITY_PORT to a free one`,
      { cause: error },
    )
  }
  const { port } = app.server.address() as AddressInfo
  return `http://${isIPv6(HOST) ? `[${HOST}]` : HOST}:${port}`
}

async function deleteExpired(db: IdentityDb): Promise<void> {
  await deleteExpiredSessions(db)
  await deleteOldAddresses(db)
}

function sweepHourly(db: IdentityDb, log: Logger): NodeJS.Timeout {
  const sweep = () =>
    deleteExpired(db).catch((err: unknown) =>
      log.warn({ err }, 'Deleting expired sessions and addresses failed; retrying in an hour'),
    )
  return setInterval(() => void sweep(), HOUR_MS)
}

async function stop(
  app: FastifyInstance,
  sweep: NodeJS.Timeout,
  closeDatabase: () => Promise<void>,
): Promise<void> {
  clearInterval(sweep)
  const cut = setTimeout(() => app.server.closeAllConnections(), STOP_MS)
  await app.close()
  clearTimeout(cut)
  await closeDatabase()
}
