import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before } from 'node:test'
import { openDatabase } from '../../database/database.ts'
import { createLog } from '../../platform/log.ts'
import { readSettings } from '../../platform/settings.ts'
import { testDatabase } from '../../test/support/database.ts'
import { type AppOptions, createApp } from '../app.ts'
import { createPasswords, type PasswordCost } from '../auth/passwords.ts'
import { ensureAdmin } from '../bootstrap.ts'
import { type Settings, settingsSchema } from '../config.ts'
import { updateServiceUser } from '../service-user.ts'
import type { IdentityDb, IdentityTables } from '../tables.ts'
import { type CallOptions, call, type HttpResponse } from './client.ts'
import { SECRET } from './store-process.ts'

/** The cheapest parameters of argon2, for tests that hash often. */
export const CHEAP: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }
export const ADMIN = { email: 'admin@example.com', password: 'the password of the tests' }
/** The password of every `newUser`. */
export const PASSWORD = 'the right password'
export const SERVICE_TOKEN = 'the-token-of-the-backend'

export interface Store {
  url: string
  db: IdentityDb
  databaseUrl: string
  settings: Settings
  call(method: string, path: string, options?: CallOptions): Promise<HttpResponse>
  login(email: string, password: string, more?: Record<string, unknown>): Promise<HttpResponse>
  /** An administrator's access token. */
  adminToken(): Promise<string>
  /** An active user with `PASSWORD`; `bearer` is their static token. */
  newUser(): Promise<TestUser>
  stop(): Promise<void>
}

export interface TestUser {
  id: string
  email: string
  bearer: string
}

/** Dropped when the store stops. */
interface OwnDatabase {
  url: string
  drop(): Promise<void>
}

type Parts = Partial<Pick<AppOptions, 'passwords' | 'clock' | 'log'>>

/** Starts a store before the tests of the calling file or suite, and stops it after them. */
export function useStore(environment?: Record<string, string>, parts?: Parts): Store {
  const store = {} as Store
  before(async () => {
    Object.assign(store, await startStoreInProcess(await testDatabase(), environment, parts))
  })
  after(() => store.stop())
  return store
}

/** Runs the app in the test's process, so that a test can replace parts. */
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
  const adminToken = async (): Promise<string> =>
    (await login(ADMIN.email, ADMIN.password)).body.data.access_token
  let users = 0
  return {
    url,
    db,
    databaseUrl: database.url,
    settings,
    login,
    call: (method, path, options) => call(url, method, path, options),
    adminToken,
    async newUser() {
      const [email, bearer] = [`user-${++users}@example.com`, `token-of-the-user-${users}`]
      const body = { email, password: PASSWORD, token: bearer }
      const created = await call(url, 'POST', '/users', { bearer: await adminToken(), body })
      assert.equal(created.status, 200)
      return { id: created.body.data.id, email, bearer }
    },
    async stop() {
      await app.close()
      await close()
      await database.drop()
    },
  }
}
