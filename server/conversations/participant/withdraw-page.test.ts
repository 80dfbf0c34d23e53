import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { request, startBackend, type TestBackend } from '../../../test/support/backend.ts'
import { newConversation, newPortal } from '../../../test/support/conversations.ts'

let backend: TestBackend
before(async () => {
  backend = await startBackend({ enqueues: true, publicUrl: 'https://parley.example' })
})
after(() => backend.stop())

test('the receipt’s link leads to a page that runs nothing but itself, and opening it changes nothing', async () => {
  const portal = await newPortal(backend)
  const started = await request(`${portal.url}/conversations`, 'POST', {})
  const link = new URL(started.body.withdraw_url)
  assert.equal(link.origin, 'https://parley.example')
  // Behind the #: it is never sent to a server.
  assert.equal(link.hash, `#${started.body.token}`)
  const page = await request(`${backend.url}${link.pathname}`, 'GET')
  assert.equal(page.status, 200)
  const policy = String(page.headers.get('content-security-policy'))
  for (const tag of ['script', 'style']) {
    const text = page.text.split(`<${tag}>`)[1]?.split(`</${tag}>`)[0] ?? ''
    assert.ok(policy.includes(`${tag}-src 'sha256-${hash('sha256', text, 'base64')}'`), tag)
  }
  const { send } = await newConversation(portal)
  assert.equal((await send('GET', '')).status, 200)
})
