import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { TOTP } from 'otpauth'
import { createLog } from '../platform/log.ts'
import { testDatabase } from '../test/support/database.ts'
import { claimsOf } from './testing/forge.ts'
import { ADMIN, SERVICE_TOKEN, startStoreInProcess } from './testing/store-in-process.ts'

it('stores and logs no token, password, authenticator secret or client address in plain text', async (t) => {
  const lines: string[] = []
  const store = await startStoreInProcess(
    await testDatabase(),
    {},
    { log: createLog('trace', { write: (line) => void lines.push(line) }) },
  )
  t.after(() => store.stop())
  const json = (await store.login(ADMIN.email, ADMIN.password)).body.data
  const byCookie = await store.login(ADMIN.email, ADMIN.password, { mode: 'cookie' })
  const session = (await store.login(ADMIN.email, ADMIN.password, { mode: 'session' })).cookies.get(
    'service_session_token',
  )
  const next = (await store.call('POST', '/auth/refresh', { body: { refresh_token: json.refresh_token } }))
    .body.data
  const bearer = next.access_token
  const staticToken = 'a-static-token-of-somebody'
  await store.call('POST', '/users', {
    bearer,
    body: { email: 'x@example.com', password: 'their password', token: staticToken },
  })
  await store.call('GET', `/users/me?access_token=${staticToken}`)
  await store.login('x@example.com', 'a wrong password')
  const { secret } = (
    await store.call('POST', '/users/me/tfa/generate', { bearer, body: { password: ADMIN.password } })
  ).body.data
  const otp = new TOTP({ secret }).generate()
  await store.call('POST', '/users/me/tfa/enable', { bearer, body: { secret, otp } })
  await store.call('POST', '/auth/login', { rawBody: `{"password":"${ADMIN.password}` })

  const secrets = [
    ADMIN.password,
    'their password',
    'a wrong password',
    staticToken,
    SERVICE_TOKEN,
    secret,
    json.refresh_token,
    json.access_token,
    next.refresh_token,
    bearer,
    byCookie.cookies.get('directus_refresh_token')?.value,
    session?.value,
    claimsOf(session?.value ?? '')['session'],
    '127.0.0.1',
  ]
  const tables = ['users', 'sessions', 'session_tokens', 'roles', 'known_addresses'] as const
  const rows = await Promise.all(
    tables.map((table) =>
      sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.table(table)} t`.execute(store.db),
    ),
  )
  const dump = JSON.stringify(rows.flatMap((result) => result.rows))
  assert.ok(dump.includes(ADMIN.email) && lines.length > 5, 'there is something to search')
  for (const each of secrets) {
    assert.ok(typeof each === 'string' && each.length >= 8)
    // A token that was kept as bytes would show as hexadecimal.
    const forms = [each, Buffer.from(each).toString('hex'), Buffer.from(each).toString('base64')]
    for (const form of forms) {
      assert.ok(!dump.includes(form), 'a secret is stored in plain text')
      assert.ok(!lines.join('').includes(form), 'a secret appears in the log')
    }
  }
  assert.ok(!lines.join('').includes('x@example.com'), 'an email address appears in the log')
})
