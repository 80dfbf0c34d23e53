import assert from 'node:assert/strict'
import { it } from 'node:test'
import { describeSettings, listChangedSettings, readSettings, SettingsError } from '../platform/settings.ts'
import { settingsSchema } from './config.ts'

const enough = { DATABASE_URL: 'postgres://user:hidden@host/db', IDENTITY_SECRET: 'x'.repeat(32) }

it('two settings are enough', () => {
  const settings = readSettings(settingsSchema, enough)
  assert.equal(settings.IDENTITY_PORT, 8055)
  assert.equal(settings.SESSION_COOKIE_NAME, 'service_session_token')
  assert.deepEqual(
    [settings.ACCESS_TOKEN_SECONDS, settings.REFRESH_TOKEN_SECONDS, settings.SESSION_SECONDS],
    [900, 604_800, 86_400],
  )
  assert.deepEqual(settings.ALLOWED_ORIGINS, [])
})

it('reports all invalid settings together, by name and without values', () => {
  const bad = {
    DATABASE_URL: 'mysql://x',
    IDENTITY_SECRET: 'too short',
    IDENTITY_PORT: '70000',
    IDENTITY_PUBLIC_URL: 'ftp://x',
    IDENTITY_TOKEN: 'short',
    ADMIN_EMAIL: 'not-an-address',
    ADMIN_PASSWORD: 'short',
    ALLOWED_ORIGINS: 'https://a.example.com/path',
    TRUSTED_PROXIES: '10.0.0.0/33',
    RATE_LIMITS: 'maybe',
  }
  assert.throws(
    () => readSettings(settingsSchema, bad),
    (error) => {
      assert.ok(error instanceof SettingsError)
      for (const name of Object.keys(bad)) assert.ok(error.message.includes(name), name)
      assert.ok(!error.message.includes('too short'))
      return true
    },
  )
  assert.throws(
    () => readSettings(settingsSchema, {}),
    /DATABASE_URL: is required[\s\S]*IDENTITY_SECRET: is required/,
  )
})

it('every setting has a sentence, and secrets are not listed', () => {
  assert.ok(describeSettings(settingsSchema).every(({ sentence }) => sentence.endsWith('.')))
  const listed = listChangedSettings(settingsSchema, readSettings(settingsSchema, enough)).join('\n')
  assert.ok(!listed.includes('hidden') && !listed.includes(enough.IDENTITY_SECRET))
})
