import { type AddressInfo, isIPv6 } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import type { Logger } from '../platform/log.ts'
import { createApp } from './app.ts'
import { deleteOldAddresses } from './auth/known-addresses.ts'
import { createPasswords, type Passwords } from './auth/passwords.ts'
import { deleteExpiredSessions } from './auth/sessions.ts'
import { ensureAdmin, type ShowAdmin } from './bootstrap.ts'
import type { Settings } from './config.ts'
import { updateServiceUser } from './service-user.ts'
import type { IdentityDb, IdentityTables } from './tables.ts'

const SCHEMA = 'identity'
const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url))
const HOUR_MS = 3_600_000
/** How long requests in progress get at shutdown. */
const STOP_MS = 5_000

export interface RunningStore {
  url: string
  stop(): Promise<void>
}

/** Starts the store: migrations, the backend's user, the first administrator, then the port. Tests use cheaper hashes. */
export async function startStore(
  settings: Settings,
  log: Logger,
  showAdmin: ShowAdmin,
  passwords: Passwords = createPasswords(),
): Promise<RunningStore> {
  await migrate({ url: settings.DATABASE_URL, schema: SCHEMA, folder: MIGRATIONS, log })
  const database = openDatabase<IdentityTables>({
    url: settings.DATABASE_URL,
    schema: SCHEMA,
    applicationName: 'parley-identity',
  })
  try {
    await deleteExpired(database.db)
    await updateServiceUser(database.db, settings.IDENTITY_TOKEN)
    await ensureAdmin(database.db, settings, passwords, showAdmin)
    const app = await createApp({ db: database.db, settings, log, passwords })
    const url = await listen(app, settings)
    const cleanup = scheduleCleanup(database.db, log)
    return { url, stop: () => stop(app, cleanup, database) }
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
    throw new Error(`Port ${IDENTITY_PORT} is in use by another program. Set IDENTITY_PORT to a free port.`, {
      cause: error,
    })
  }
  const { port } = app.server.address() as AddressInfo
  return `http://${isIPv6(HOST) ? `[${HOST}]` : HOST}:${port}`
}

async function deleteExpired(db: IdentityDb): Promise<void> {
  await deleteExpiredSessions(db)
  await deleteOldAddresses(db)
}

function scheduleCleanup(db: IdentityDb, log: Logger): NodeJS.Timeout {
  const warn = (err: unknown) =>
    log.warn({ err }, 'Deleting expired sessions and addresses failed; retrying in an hour')
  return setInterval(() => void deleteExpired(db).catch(warn), HOUR_MS)
}

async function stop(app: FastifyInstance, cleanup: NodeJS.Timeout, database: { close(): Promise<void> }) {
  clearInterval(cleanup)
  const timer = setTimeout(() => app.server.closeAllConnections(), STOP_MS)
  await app.close()
  clearTimeout(timer)
  await database.close()
}
