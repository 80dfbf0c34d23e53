import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeSettings, listChangedSettings, SettingsError } from '../platform/settings.ts'
import { readConfig, settingsSchema } from './config.ts'

test('with an empty environment every setting has its documented default', () => {
  const settings = readConfig({})
  assert.equal(settings.PORT, 8000)
  assert.equal(settings.SUMMARIZE_WINDOW, 8192)
  assert.equal(settings.SUMMARIZE_MAX_TOKENS, 1500)
  assert.equal(settings.METRICS_PORT, 9464)
  assert.equal(settings.SESSION_COOKIE_NAME, 'service_session_token')
  assert.equal(settings.IDENTITY_CHECK_SESSIONS, true)
  assert.equal(settings.IDENTITY_CONFIRM_STAFF, false)
  assert.deepEqual(settings.ROLES, new Set(['api', 'worker']))
  for (const { name, default: shown } of describeSettings(settingsSchema))
    assert.ok(shown, `${name} says no default`)
})

test('an empty or blank variable counts as unset', () => {
  assert.deepEqual(readConfig({ PORT: '', DATABASE_URL: '  ', ALLOWED_ORIGINS: '' }), readConfig({}))
})

test('reports all invalid variables together, each with its name', () => {
  const wrong = {
    PORT: '70000',
    RATE_LIMITS: 'yes',
    IDENTITY_SECRET: 'short',
    ENCRYPTION_KEY: 'k1:abc',
    DATABASE_URL: 'mysql://x/y',
    ROLES: 'cook',
    SUMMARIZE_WINDOW: '2999',
  }
  assert.throws(
    () => readConfig(wrong),
    (error: Error) =>
      error instanceof SettingsError &&
      Object.keys(wrong).every((name) => error.message.includes(`- ${name}: `)),
  )
})

const KEY = `k1:${Buffer.alloc(32).toString('base64')}`
const SECRET = 's'.repeat(32)
const crossed: [string, Record<string, string>, string | null][] = [
  ['an external database needs a key', { DATABASE_URL: 'postgres://h/d' }, 'ENCRYPTION_KEY'],
  ['an external database with a key is fine', { DATABASE_URL: 'postgres://h/d', ENCRYPTION_KEY: KEY }, null],
  [
    'a database with several hosts is fine',
    { DATABASE_URL: 'postgres://a:5432,b:5433/d?target_session_attrs=read-write', ENCRYPTION_KEY: KEY },
    null,
  ],
  [
    'DATABASE_URL cannot ask for a standby',
    { DATABASE_URL: 'postgres://a,b/d?target_session_attrs=standby', ENCRYPTION_KEY: KEY },
    'DATABASE_URL',
  ],
  [
    'a way past the pooler needs the pooler',
    { DATABASE_DIRECT_URL: 'postgres://h/d' },
    'DATABASE_DIRECT_URL',
  ],
  ['an external store needs a way to verify', { IDENTITY_URL: 'http://h' }, 'IDENTITY_SECRET'],
  ['an external store with a secret is fine', { IDENTITY_URL: 'http://h', IDENTITY_SECRET: SECRET }, null],
  [
    'an external store with published keys is fine',
    { IDENTITY_URL: 'http://h', IDENTITY_JWKS_URL: 'https://h/k' },
    null,
  ],
  [
    'secret and published keys exclude each other',
    { IDENTITY_URL: 'http://h', IDENTITY_SECRET: SECRET, IDENTITY_JWKS_URL: 'https://h/k' },
    'IDENTITY_JWKS_URL',
  ],
  ['the embedded store has no published keys', { IDENTITY_JWKS_URL: 'https://h/k' }, 'IDENTITY_JWKS_URL'],
  ['a path is not an origin', { ALLOWED_ORIGINS: 'https://a.example/x' }, 'ALLOWED_ORIGINS'],
  ['a name is not a network', { TRUSTED_PROXIES: '10.0.0.0/8, proxy' }, 'TRUSTED_PROXIES'],
  ['a network is not larger than its address', { TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES'],
  ['addresses and networks are fine', { TRUSTED_PROXIES: '10.0.0.1, fd00::/8' }, null],
  ['an address has no user name', { PUBLIC_URL: 'https://me@a.example' }, 'PUBLIC_URL'],
  ['an address has no password', { IDENTITY_PUBLIC_URL: 'https://me:x@a.example' }, 'IDENTITY_PUBLIC_URL'],
  ['a speech server needs an address', { TRANSCRIBER: 'openai' }, 'OPENAI_BASE_URL'],
  [
    'a language model needs an address',
    { SUMMARIZER: 'openai', TRANSCRIBE_BASE_URL: 'http://h/v1' },
    'OPENAI_BASE_URL',
  ],
  ['a server of its own is fine', { TRANSCRIBER: 'openai', TRANSCRIBE_BASE_URL: 'http://h/v1' }, null],
  ['half of the window is fine', { SUMMARIZE_WINDOW: '4000', SUMMARIZE_MAX_TOKENS: '2000' }, null],
  ['a response leaves room for the prompt', { SUMMARIZE_MAX_TOKENS: '5000' }, 'SUMMARIZE_MAX_TOKENS'],
  ['two origins are fine', { ALLOWED_ORIGINS: 'https://a.example, http://b.example:81' }, null],
]
for (const [promise, environment, variable] of crossed) {
  test(promise, () => {
    if (variable === null) readConfig(environment)
    else assert.throws(() => readConfig(environment), new RegExp(`- ${variable}: `))
  })
}

test('lists settings that differ from their default, with secrets and passwords in addresses masked', () => {
  const settings = readConfig({
    DATABASE_URL: 'postgres://u:canary@h/d',
    ENCRYPTION_KEY: KEY,
    ADMIN_PASSWORD: 'canary-word',
    EGRESS_PROXY: 'http://u:canary@h',
  })
  const lines = listChangedSettings(settingsSchema, settings).join('\n')
  assert.doesNotMatch(lines, /canary/)
  assert.match(lines, /ADMIN_PASSWORD=\*{8}/)
  assert.match(lines, /DATABASE_URL=\*{8}/)
  assert.doesNotMatch(lines, /ROLES|PORT|ALLOWED_ORIGINS/)
  assert.deepEqual(listChangedSettings(settingsSchema, readConfig({ PORT: '8001', ROLES: 'api,worker' })), [
    'PORT=8001',
  ])
})
