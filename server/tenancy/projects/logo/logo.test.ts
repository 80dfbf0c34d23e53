import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import jpeg from 'jpeg-js'
import { PNG } from 'pngjs'
import { newUser, request, startBackend } from '../../../../test/support/backend.ts'
import { newPortal, type Portal } from '../../../../test/support/conversations.ts'
import { pngChunk, pngOf, withText } from './testing/images.ts'

const backend = await startBackend({ enqueues: true })
after(() => backend.stop())

const put = ({ owner, projectId }: Portal, image: Uint8Array, type = 'image/png', headers = {}) =>
  owner.send('PUT', `/api/v2/projects/${projectId}/logo`, image, { 'content-type': type, ...headers })

const fetchLogo = async (path: string) => {
  const response = await fetch(`${backend.url}${path}`)
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

const filesOf = async ({ projectId }: Portal): Promise<string[]> => {
  const names: string[] = []
  for await (const name of backend.files.list(`projects/${projectId.slice(-2)}/${projectId}`))
    names.push(name)
  return names
}

test('a logo is stored as a small PNG without metadata, and shown to everyone', async () => {
  const portal = await newPortal(backend)
  const set = await put(portal, withText(pngOf(1_000, 500, [200, 10, 10, 128]), 'made by Ada at home'))
  assert.equal(set.status, 200)
  assert.match(
    set.body.logo_url,
    new RegExp(`^/api/participant/projects/${portal.projectId}/logo\\?v=[\\w-]{22}$`),
  )
  assert.equal((await request(portal.url, 'GET')).body.logo_url, set.body.logo_url)

  const { response, bytes } = await fetchLogo(set.body.logo_url)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'image/png')
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  assert.ok(!bytes.includes('Ada'))
  const { width, height, data } = PNG.sync.read(bytes)
  assert.deepEqual([width, height, [...data.subarray(0, 4)]], [512, 256, [200, 10, 10, 128]])

  const etag = response.headers.get('etag') ?? ''
  const again = await request(`${backend.url}${set.body.logo_url}`, 'GET', undefined, {
    'if-none-match': etag,
  })
  assert.equal(again.status, 304)
  const plain = await fetchLogo(`/api/participant/projects/${portal.projectId}/logo`)
  assert.equal(plain.response.headers.get('cache-control'), 'public, no-cache')
  assert.equal(await request(`${backend.url}${set.body.logo_url}`, 'HEAD').then(({ status }) => status), 200)
})

test('a JPEG becomes a PNG', async () => {
  const portal = await newPortal(backend)
  const data = Buffer.alloc(40 * 20 * 4, 255)
  const { status, body } = await put(
    portal,
    jpeg.encode({ width: 40, height: 20, data }, 90).data,
    'image/jpeg',
  )
  assert.equal(status, 200)
  const { bytes } = await fetchLogo(body.logo_url)
  const { width, height } = PNG.sync.read(bytes)
  assert.deepEqual([width, height], [40, 20])
})

test('another logo has another address, and the file before is removed', async () => {
  const portal = await newPortal(backend)
  const first = (await put(portal, pngOf(8, 8, [255, 0, 0, 255]))).body
  const second = (await put(portal, pngOf(8, 8, [0, 0, 255, 255]))).body
  assert.notEqual(first.logo_url, second.logo_url)
  assert.equal((await filesOf(portal)).length, 1)
  const deleted = await portal.owner.send('DELETE', `/api/v2/projects/${portal.projectId}/logo`)
  assert.equal(deleted.status, 204)
  assert.deepEqual(await filesOf(portal), [])
  assert.equal((await fetchLogo(second.logo_url)).response.status, 404)
  assert.equal((await request(portal.url, 'GET')).body.logo_url, null)
  assert.equal((await portal.owner.send('DELETE', `/api/v2/projects/${portal.projectId}/logo`)).status, 204)
  const { rows } = await backend.database.pool.query(
    `select details from audit_log where target_id = $1 and action = 'project.updated'`,
    [portal.projectId],
  )
  assert.deepEqual(
    rows,
    [1, 2, 3].map(() => ({ details: { fields: ['logo'] } })),
  )
})

test('other formats, large files and large images are refused in clear words', async () => {
  const portal = await newPortal(backend)
  const webp = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8 '), Buffer.alloc(50)])
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  for (const [image, type] of [
    [webp, 'image/webp'],
    [svg, 'image/svg+xml'],
    [webp, 'image/png'],
    [svg, 'image/png'],
    [Buffer.from('GIF89a'), 'image/jpeg'],
    [Buffer.from('{}'), 'application/json'],
  ] as const) {
    const { status, body } = await put(portal, image, type)
    assert.deepEqual([status, body.code], [415, 'unsupported_media'], type)
    assert.match(body.detail, /PNG or JPEG/)
  }
  const large = await put(portal, Buffer.alloc(1024 * 1024 + 1, 1))
  assert.deepEqual([large.status, large.body.code], [413, 'too_large'])
  assert.match(large.body.detail, /1 MiB/)

  const bomb = pngOf(8, 8, [0, 0, 0, 255])
  bomb.writeUInt32BE(60_000, 16)
  bomb.writeUInt32BE(60_000, 20)
  const huge = await put(portal, bomb)
  assert.deepEqual([huge.status, huge.body.errors[0].path], [422, 'body'])
  assert.match(huge.body.errors[0].message, /60000 × 60000/)
  for (const damaged of [Buffer.alloc(0), Buffer.from('hello'), pngOf(8, 8, [1, 2, 3, 4]).subarray(0, 40)])
    assert.equal((await put(portal, damaged)).status, 422)
  assert.deepEqual(await filesOf(portal), [])
})

test('of a file that is two formats at once, only the image is kept', async () => {
  const portal = await newPortal(backend)
  const other = '<html><script>alert("polyglot")</script>PK\x03\x04%PDF-1.7'
  const png = pngOf(8, 8, [1, 2, 3, 255])
  const photo = jpeg.encode({ width: 8, height: 8, data: Buffer.alloc(256, 200) }, 90).data
  /** After the header, which has 33 bytes. */
  const withChunk = (type: string) =>
    Buffer.concat([png.subarray(0, 33), pngChunk(type, Buffer.from(other)), png.subarray(33)])
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, other.length + 2]), Buffer.from(other)])
  for (const [name, image, type] of [
    ['after a PNG', Buffer.concat([png, Buffer.from(other)]), 'image/png'],
    ['in a text of a PNG', withChunk('tEXt'), 'image/png'],
    ['in a private chunk of a PNG', withChunk('prVt'), 'image/png'],
    ['in the profile of a PNG', withChunk('iCCP'), 'image/png'],
    ['after a JPEG', Buffer.concat([photo, Buffer.from(other)]), 'image/jpeg'],
    [
      'in a comment of a JPEG',
      Buffer.concat([photo.subarray(0, 2), comment, photo.subarray(2)]),
      'image/jpeg',
    ],
    ['a PNG that says that it is a JPEG', Buffer.concat([png, Buffer.from(other)]), 'image/jpeg'],
  ] as const) {
    const { status, body } = await put(portal, image, type)
    assert.equal(status, 200, `${name}: ${JSON.stringify(body)}`)
    const { bytes, response } = await fetchLogo(body.logo_url)
    assert.equal(response.headers.get('content-type'), 'image/png')
    assert.ok(!bytes.includes('polyglot') && !bytes.includes('script') && !bytes.includes('PK\x03'), name)
    assert.deepEqual([PNG.sync.read(bytes).width, PNG.sync.read(bytes).height], [8, 8], name)
  }
  for (const image of [Buffer.from(other), Buffer.concat([Buffer.from(other), png])])
    assert.ok([415, 422].includes((await put(portal, image)).status))
})

test('only roles that change the project change its logo', async () => {
  const portal = await newPortal(backend)
  const image = pngOf(8, 8, [1, 2, 3, 255])
  const path = `/api/v2/projects/${portal.projectId}/logo`
  const anonymous = await request(`${backend.url}${path}`, 'PUT', image, { 'content-type': 'image/png' })
  assert.equal(anonymous.status, 401)
  const stranger = await backend.as(newUser())
  assert.equal((await stranger.send('PUT', path, image, { 'content-type': 'image/png' })).status, 404)
  const observer = await backend.as(newUser())
  await portal.owner.post(`/api/v2/workspaces/${portal.workspaceId}/members`, {
    user_id: observer.userId,
    role: 'observer',
  })
  assert.equal((await observer.send('PUT', path, image, { 'content-type': 'image/png' })).status, 403)
  assert.equal((await observer.send('DELETE', path)).status, 403)
  const stale = await put(portal, image, 'image/png', { 'if-match': '"another"' })
  assert.equal(stale.status, 412)
  assert.deepEqual(await filesOf(portal), [])
})

test('the logo goes with its project, also when the workspace or the organisation is deleted', async () => {
  const paths = [
    ({ projectId }: Portal) => `/api/v2/projects/${projectId}`,
    ({ workspaceId }: Portal) => `/api/v2/workspaces/${workspaceId}`,
    ({ organisationId }: Portal) => `/api/v2/organisations/${organisationId}`,
  ]
  for (const path of paths) {
    const portal = await newPortal(backend)
    const { logo_url } = (await put(portal, pngOf(8, 8, [1, 2, 3, 255]))).body
    assert.equal((await portal.owner.send('DELETE', path(portal))).status, 204)
    assert.equal((await fetchLogo(logo_url)).response.status, 404)
    await backend.runTask('retention')
    assert.deepEqual(await filesOf(portal), [])
    const { rows } = await backend.database.pool.query('select logo from projects where id = $1', [
      portal.projectId,
    ])
    assert.deepEqual(rows, [{ logo: null }])
  }
})
