import assert from 'node:assert/strict'
import { test } from 'node:test'
import { request } from '../../test/support/backend.ts'
import { clientOf } from '../../test/support/wire.ts'
import { backend, portal, setUp } from '../conversations/testing/setup.ts'
import { readPortal } from './built-files.ts'
import { acceptedEncodings } from './send-file.ts'

setUp({})

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  request(`${backend.url}${path}`, method, undefined, headers)
const page = () => `/p/${portal.projectId}`
const projectIn = (html: string) =>
  JSON.parse(/<script type="application\/json" id="project">(.*?)<\/script>/s.exec(html)?.[1] ?? '')

test('the page has the project and the files of its version, and no inline script or style', async () => {
  const { status, headers, text } = await get(page(), { 'accept-language': 'nl-NL,en;q=0.5' })
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^text\/html; charset=utf-8/)
  assert.equal(projectIn(text).id, portal.projectId)
  const files = Array.from(text.matchAll(/(?:src|href)="([^"]+)"/g), ([, path = '']) => path)
  assert.ok(files.some((path) => path.includes('/nl-')))
  for (const path of files) assert.equal((await get(path)).status, 200, path)
  assert.doesNotMatch(text, /<style|\son\w+=|style=/)
  for (const [, attributes = ''] of text.matchAll(/<script([^>]*)>/g))
    assert.match(attributes, /src="\/p\/assets\/|type="application\/json"/)
})

test('the page allows only its own files, and tells no other site where it was opened', async () => {
  const { headers } = await get(page())
  const policy = headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/)
  assert.doesNotMatch(policy, /unsafe|https?:|\*|data:/)
  assert.equal(headers.get('referrer-policy'), 'no-referrer')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin')
  assert.match(headers.get('permissions-policy') ?? '', /microphone=\(self\)/)
})

test('text of a host cannot end the element of the project', async () => {
  const title = '</script><script>alert(1)</script><!--\u2028'
  await portal.owner.send('PATCH', `/api/v2/projects/${portal.projectId}`, { title })
  const { text } = await get(page())
  assert.equal(projectIn(text).title, title)
  assert.doesNotMatch(text, /alert\(1\)<\/script>|<!--/)
})

test('a page that has not changed is not sent again', async () => {
  const first = await get(page())
  const etag = first.headers.get('etag') ?? ''
  assert.equal(first.headers.get('cache-control'), 'no-cache')
  for (const method of ['GET', 'HEAD']) {
    const again = await get(page(), { 'if-none-match': etag }, method)
    assert.deepEqual([again.status, again.text], [304, ''], method)
  }
  await portal.owner.send('PATCH', `/api/v2/projects/${portal.projectId}`, { title: 'Another title' })
  const changed = await get(page(), { 'if-none-match': etag })
  assert.equal(changed.status, 200)
  assert.equal(projectIn(changed.text).title, 'Another title')
})

test('the page and its files are compressed where the browser accepts it', async () => {
  const [script = ''] = [...readPortal().assets.keys()].filter((name) => name.endsWith('.js'))
  const encodings = async (path: string, accepted: string) =>
    (await get(path, { 'accept-encoding': accepted })).headers.get('content-encoding')
  assert.equal(await encodings(page(), 'gzip, br'), 'gzip')
  assert.equal(await encodings(page(), 'identity'), null)
  for (const path of [`/p/assets/${script}`, '/p/service-worker.js']) {
    assert.equal(await encodings(path, 'gzip, deflate, br'), 'br')
    assert.equal(await encodings(path, 'gzip'), 'gzip')
    assert.equal(await encodings(path, 'gzip;q=0, br;q=0.0'), null)
    // Unlike `request`, fetch decompresses.
    const decoded = async (accepted: string) =>
      (await fetch(`${backend.url}${path}`, { headers: { 'accept-encoding': accepted } })).text()
    assert.equal(await decoded('br'), await decoded('identity'))
    const { headers } = await get(path, { 'accept-encoding': 'identity' })
    assert.match(headers.get('vary') ?? '', /Accept-Encoding/)
  }
  assert.deepEqual([...acceptedEncodings('GZIP;q=1, br; q=0, *')], ['gzip', '*'])
})

test('files are cached for a year, the service worker is asked for each time', async () => {
  const [name = ''] = readPortal().assets.keys()
  const file = await get(`/p/assets/${name}`)
  assert.equal(file.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  const head = await get(`/p/assets/${name}`, {}, 'HEAD')
  assert.deepEqual([head.status, head.text], [200, ''])
  const worker = await get('/p/service-worker.js')
  assert.equal(worker.headers.get('cache-control'), 'no-cache')
  assert.match(worker.headers.get('content-type') ?? '', /^text\/javascript/)
  const etag = worker.headers.get('etag') ?? ''
  assert.equal((await get('/p/service-worker.js', { 'if-none-match': etag })).status, 304)
})

test('no other file can be reached', async () => {
  const client = clientOf(backend.url)
  const [name = ''] = readPortal().assets.keys()
  for (const path of [
    '../index.html',
    '..%2findex.html',
    '..%2f..%2fbuilt-from',
    '%2e%2e/manifest.json',
    '..%5c..%5cpackage.json',
    `${name}.gz`,
    `./${name}`,
    `${name}%00`,
    '',
    'constructor',
    '__proto__',
  ]) {
    const { status, text } = await client.send('GET', `/p/assets/${path}`)
    assert.equal(status, 404, path)
    assert.doesNotMatch(text, /parley-recordings|"dependencies"/)
  }
  client.close()
  assert.equal((await get(`/p/assets/${name}`, {}, 'POST')).status, 405)
})

test('a wrong link is the same page without a project', async () => {
  for (const id of ['0190d5a0-0000-7000-8000-000000000000', 'x', '%3Cscript%3E', 'a'.repeat(3_000)]) {
    const { status, text } = await get(`/p/${id}`)
    assert.equal(status, 404)
    assert.equal(projectIn(text), null)
    assert.doesNotMatch(text, /<script>/)
  }
})
