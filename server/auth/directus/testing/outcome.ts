import assert from 'node:assert/strict'
import { request, type TestBackend } from '../../../../test/support/backend.ts'

export type Outcome = 'accepted' | 'refused' | 'unavailable'

export const ask = (backend: TestBackend, token: string, path = '/api/v2/me') =>
  request(`${backend.url}${path}`, 'GET', undefined, { authorization: `Bearer ${token}` })

/** How the backend responds to a token. It must never refuse a token (401) that it cannot check (503). */
export async function outcomeOf(backend: TestBackend, token: string, user?: string): Promise<Outcome> {
  const { status, body, headers } = await ask(backend, token)
  if (status === 200) {
    if (user) assert.equal(body.user.id, user)
    return 'accepted'
  }
  if (status === 401) {
    assert.equal(body.code, 'unauthenticated')
    return 'refused'
  }
  assert.deepEqual([status, body?.code], [503, 'identity_unavailable'])
  assert.ok(Number(headers.get('retry-after')) > 0, 'says when to retry')
  assert.equal(headers.get('www-authenticate'), null)
  return 'unavailable'
}
