import assert from 'node:assert/strict'
import { test } from 'node:test'
import jsQrModule from 'jsqr'
import { PNG } from 'pngjs'
import { request } from '../../../test/support/backend.ts'
import { newPortal, type Portal } from '../../../test/support/conversations.ts'
import { backend, portal, setUp } from '../testing/setup.ts'

setUp({ rateLimits: { perUser: 6_000, failuresPerAddress: 600 } })

// The package is CommonJS; its types say that it is a module.
const jsQr = jsQrModule as unknown as typeof jsQrModule.default

const linksOf = async ({ url }: Portal): Promise<{ short_url: string; recording_url: string }> =>
  (await request(url, 'GET')).body
const codeOf = async (of: Portal): Promise<string> => (await linksOf(of)).short_url.split('/').at(-1) ?? ''
const open = (path: string, headers?: Record<string, string>) =>
  request(`${backend.url}/s/${path}`, 'GET', undefined, headers)

test('the short link leads to the recording page and keeps the query', async () => {
  const code = await codeOf(portal)
  for (const typed of [code, code.toUpperCase(), `${code.slice(0, 4)}-${code.slice(4)}`]) {
    const { status, headers } = await open(typed)
    assert.deepEqual([status, headers.get('location')], [302, `/p/${portal.projectId}`], typed)
  }
  const query = '?name=Ana%20Mar%C3%ADa&tags=north,south&x=%0d%0aSet-Cookie:%20a&u=//evil.example'
  const { headers } = await open(`${code}${query}`)
  assert.equal(headers.get('location'), `/p/${portal.projectId}${query}`)
  assert.equal(headers.get('set-cookie'), null)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal((await request(`${backend.url}/s/${code}`, 'HEAD')).status, 302)
})

test('opening links counts against the limit of public routes per address', async () => {
  for (const path of ['/s/22222222', '/s/33333333', `/api/participant/projects/${portal.projectId}/qr.svg`]) {
    const { headers } = await request(`${backend.url}${path}`, 'GET')
    const [limit, remaining] = ['limit', 'remaining'].map((name) => Number(headers.get(`ratelimit-${name}`)))
    assert.equal(limit, 12_000, path)
    // It is refilled all the time, but the request itself has just been counted.
    assert.ok(remaining !== undefined && remaining > 0 && remaining < limit, `${path}: ${remaining}`)
  }
})

test('an unknown short link is the recording page without a project, which says that the link does not work', async () => {
  const { status, headers, text } = await open('22222222')
  assert.equal(status, 404)
  assert.match(headers.get('content-type') ?? '', /^text\/html/)
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
  assert.match(text, /id="project">null</)
  assert.match((await open('22222222', { 'accept-language': 'fr-CH, de;q=0.5' })).text, /assets\/fr-/)
  for (const odd of ['<script>alert(1)</script>', "'", '0', 'a'.repeat(5_000), 'constructor']) {
    const reply = await open(encodeURIComponent(odd), { 'accept-language': '__proto__,constructor' })
    assert.equal(reply.status, 404)
    assert.equal(reply.text, text)
  }
})

test('the short link of a deleted project stops working', async () => {
  const deleted = await newPortal(backend)
  const code = await codeOf(deleted)
  assert.equal((await open(code)).status, 302)
  await deleted.owner.send('DELETE', `/api/v2/projects/${deleted.projectId}`)
  assert.equal((await open(code)).status, 404)
  assert.equal((await request(`${deleted.url}/qr.svg`, 'GET')).status, 404)
})

test('the QR code contains the link', async () => {
  const { short_url, recording_url } = await linksOf(portal)
  for (const [query, size, link] of [
    ['', 512, short_url],
    ['?size=256', 256, short_url],
    ['?size=301&target=short', 301, short_url],
    ['?target=long', 512, recording_url],
  ] as const) {
    const response = await fetch(`${portal.url}/qr.png${query}`)
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/png'])
    const { width, height, data } = PNG.sync.read(Buffer.from(await response.arrayBuffer()))
    assert.deepEqual([width, height], [size, size])
    assert.equal(jsQr(new Uint8ClampedArray(data), width, height)?.data, link)
  }
  const largest = Buffer.from(await (await fetch(`${portal.url}/qr.png?size=2048`)).arrayBuffer())
  assert.deepEqual([largest.readUInt32BE(16), largest.readUInt32BE(20)], [2048, 2048])
})

test('the QR code as SVG has the same modules', async () => {
  const { text, headers } = await request(`${portal.url}/qr.svg`, 'GET')
  assert.equal(headers.get('content-type'), 'image/svg+xml')
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
  assert.match(headers.get('cache-control') ?? '', /public, max-age=3600/)
  const size = Number(/viewBox="0 0 (\d+) /.exec(text)?.[1])
  const scale = 4
  const pixels = new Uint8ClampedArray((size * scale) ** 2 * 4).fill(255)
  for (const [, x = '', y = '', length = ''] of text.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row++)
      for (let column = Number(x) * scale; column < (Number(x) + Number(length)) * scale; column++)
        pixels.fill(0, (row * size * scale + column) * 4, (row * size * scale + column) * 4 + 3)
  const { short_url } = await linksOf(portal)
  assert.equal(jsQr(pixels, size * scale, size * scale)?.data, short_url)
})

test('refuses sizes out of bounds and other parameters', async () => {
  for (const query of ['size=255', 'size=2049', 'size=1e9', 'size=x', 'size=', 'target=other', 'link=x'])
    assert.equal((await request(`${portal.url}/qr.png?${query}`, 'GET')).status, 422, query)
  assert.equal((await request(`${portal.url}/qr.svg?size=512`, 'GET')).status, 422)
  const unknown = `${backend.url}/api/participant/projects/0190d5a0-0000-7000-8000-000000000000/qr.png`
  assert.equal((await request(unknown, 'GET')).status, 404)
})
