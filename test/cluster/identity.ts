import { randomBytes } from 'node:crypto'
import { createPasswords } from '../../identity/auth/passwords.ts'
import { settingsSchema } from '../../identity/config.ts'
import { startStore } from '../../identity/start.ts'
import { CHEAP } from '../../identity/testing/store-in-process.ts'
import { createLog } from '../../platform/log.ts'
import { readSettings } from '../../platform/settings.ts'
import type { Fixtures } from '../chaos/framework/fixtures.ts'

/** The identity store that all processes use. No fault hits it. */
export interface IdentityStore {
  url: string
  /** Of the first administrator. */
  password: string
  /** Of the processes that use it. */
  settings: Record<string, string>
  secrets: string[]
  /** An access token of the administrator, valid for 15 minutes. */
  signIn(): Promise<string>
}

const EMAIL = 'admin@example.com'

export async function startIdentityStore(fixtures: Fixtures): Promise<IdentityStore> {
  const [secret, token, password] = [32, 32, 12].map((length) => randomBytes(length).toString('hex')) as [
    string,
    string,
    string,
  ]
  const settings = { IDENTITY_SECRET: secret, IDENTITY_TOKEN: token }
  const store = await startStore(
    readSettings(settingsSchema, {
      ...settings,
      DATABASE_URL: fixtures.cluster.url,
      IDENTITY_PORT: '0',
      ADMIN_EMAIL: EMAIL,
      ADMIN_PASSWORD: password,
      RATE_LIMITS: 'off',
    }),
    createLog('silent'),
    async () => {},
    createPasswords(CHEAP),
  )
  fixtures.onStop(() => store.stop())
  return {
    url: store.url,
    password,
    settings: { ...settings, IDENTITY_URL: store.url },
    secrets: [secret, token, password],
    signIn: async () => {
      const response = await fetch(`${store.url}/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: EMAIL, password }),
      })
      return ((await response.json()) as { access_token: string }).access_token
    },
  }
}
