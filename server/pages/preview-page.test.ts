import assert from 'node:assert/strict'
import { test } from 'node:test'
import { request } from '../../test/support/backend.ts'
import { backend, portal, setUp } from '../conversations/testing/setup.ts'

setUp({})

const policyOf = async (path: string): Promise<string> =>
  (await request(`${backend.url}${path}`, 'GET')).headers.get('content-security-policy') ?? ''

test('only pages of the same origin can frame the preview, which reaches no server and no microphone', async () => {
  const { status, headers, text } = await request(`${backend.url}/preview`, 'GET')
  assert.equal(status, 200)
  const policy = headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';/)
  assert.match(policy, /form-action 'none'; frame-ancestors 'self'$/)
  assert.doesNotMatch(policy, /connect-src|unsafe|https?:|\*/)
  assert.match(headers.get('permissions-policy') ?? '', /microphone=\(\)/)
  // The settings send what to show: the page has no project that it could be mistaken for.
  assert.doesNotMatch(text, /id="project"|<style|\son\w+=/)
  for (const [, path = ''] of text.matchAll(/(?:src|href)="([^"]+)"/g))
    assert.equal((await request(`${backend.url}${path}`, 'GET')).status, 200, path)
})

test('the recording page forbids frames, whatever its address says', async () => {
  for (const query of ['', '?preview', '?preview=1&kiosk'])
    assert.match(await policyOf(`/p/${portal.projectId}${query}`), /frame-ancestors 'none'/)
  assert.match(await policyOf('/'), /frame-src 'self';.* frame-ancestors 'none'/)
})
