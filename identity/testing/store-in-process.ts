import type { AddressInfo } from 'node:net'
import { openDatabase } from '../../database/database.ts'
import { createLog } from '../../platform/log.ts'
import { readSettings } from '../../platform/settings.ts'
import { type AppOptions, createApp } from '../app.ts'
import { createPasswords, type PasswordCost } from '../auth/passwords.ts'
import { ensureAdmin } from '../bootstrap.ts'
import { type Settings, settingsSchema } from '../config.ts'
import { updateServiceUser } from '../service-user.ts'
import type { IdentityDb, IdentityTables } from '../tables.ts'
import { type Answer, type CallOptions, call } from './client.ts'
import { SECRET } from './store-process.ts'

/** As cheap as argon2 gets, for tests that hash often. */
export const CHEAP: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }
export const ADMIN = { email: 'admin@example.com', password: 'the password of the tests' }
export const SERVICE_TOKEN = 'the-token-of-the-backend'

export interface Store {
  url: string
  db: IdentityDb
  databaseUrl: string
  settings: Settings
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  login(email: string, password: string, more?: Record<string, unknown>): Promise<Answer>
  /** An administrator's access token. */
  adminToken(): Promise<string>
  stop(): Promise<void>
}

/** A migrated database of the test's own, which goes with the store. */
interface OwnDatabase {
  url: string
  drop(): Promise<void>
}

type Parts = Partial<Pick<AppOptions, 'passwords' | 'clock' | 'log'>>

/** The app on a port and a database of its own, within the test's process, so that a test can pass parts in. */
export async function startStoreInProcess(
  database: OwnDatabase,
  environment: Record<string, string> = {},
  parts: Parts = {},
): Promise<Store> {
  const { db, close } = openDatabase<IdentityTables>({
    url: database.url,
    schema: 'identity',
    applicationName: 'test',
  })
  const settings = readSettings(settingsSchema, {
    DATABASE_URL: database.url,
    IDENTITY_SECRET: SECRET,
    IDENTITY_TOKEN: SERVICE_TOKEN,
    ADMIN_PASSWORD: ADMIN.password,
    RATE_LIMITS: 'off',
    ...environment,
  })
  const passwords = createPasswords(CHEAP)
  await updateServiceUser(db, settings.IDENTITY_TOKEN)
  await ensureAdmin(db, settings, passwords, async () => {})
  const app = await createApp({ db, settings, log: createLog('silent'), passwords, ...parts })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

  const login: Store['login'] = (email, password, more) =>
    call(url, 'POST', '/auth/login', { body: { email, password, ...more } })
  return {
    url,
    db,
    databaseUrl: database.url,
    settings,
    login,
    call: (method, path, options) => call(url, method, path, options),
    adminToken: async () => (await login(ADMIN.email, ADMIN.password)).body.data.access_token,
    async stop() {
      await app.close()
      await close()
      await database.drop()
    },
  }
}
