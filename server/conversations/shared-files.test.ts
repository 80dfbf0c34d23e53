import assert from 'node:assert/strict'
import { basename } from 'node:path'
import { after, before, test } from 'node:test'
import type { FileStore } from '../../storage/file-store.ts'
import { createS3Client } from '../../storage/s3/client.ts'
import { listUnfinished, listVersions } from '../../storage/s3/list-objects.ts'
import { openS3Store, type S3StoreOptions } from '../../storage/s3/s3-store.ts'
import { type FaultProxy, startFaultProxy } from '../../storage/testing/fault-proxy.ts'
import { startBackend, type TestBackend } from '../../test/support/backend.ts'
import { newConversation, newPortal, type Portal, untilStatus } from '../../test/support/conversations.ts'
import { scriptedEngines, wavOf } from '../../test/support/engines.ts'
import { hasS3Server, NO_S3_SERVER, startS3Server } from '../../test/support/servers/s3-server.ts'
import { locationOf, tusClient } from '../../test/support/uploads.ts'
import { until } from '../../test/support/webhooks.ts'

const skip = hasS3Server() ? false : NO_S3_SERVER
const stack = new AsyncDisposableStack()
let bucket: S3StoreOptions
let proxy: FaultProxy
/** Two processes of one service, without a shared disk. */
let first: TestBackend
let second: TestBackend
let portal: Portal

before(async () => {
  if (skip) return
  const server = stack.use(await startS3Server())
  bucket = await server.newBucket({ versioned: true })
  proxy = stack.use(await startFaultProxy(server.endpoint))
  const open = (): FileStore => {
    const files = openS3Store({ ...bucket, endpoint: proxy.endpoint, limits: { retryMs: 2_000 } })
    stack.defer(() => files.close())
    return files
  }
  first = await startBackend({ files: open(), engines: scriptedEngines() })
  stack.defer(() => first.stop())
  second = await startBackend({ peerOf: first, files: open(), enqueues: true })
  stack.defer(() => second.stop())
  portal = await newPortal(first)
})
after(() => stack.disposeAsync())

async function objectsOf(id: string): Promise<string[]> {
  const client = createS3Client(bucket)
  const versions = (await Array.fromAsync(listVersions(client, bucket.prefix))).flat()
  const unfinished = await Array.fromAsync(listUnfinished(client, bucket.prefix))
  await client.close()
  return [...versions, ...unfinished].map(({ key }) => key).filter((key) => key.includes(id))
}

test('records, joins, plays, exports and erases a conversation in a bucket', { skip }, async () => {
  const { id, token, send } = await newConversation(portal)
  for (const [seq, text] of ['One', 'Two', 'Three'].entries())
    assert.equal((await send('PUT', `/chunks/${seq}`, wavOf(text))).status, 201)
  assert.equal((await send('PUT', '/chunks/0', wavOf('One'))).status, 200, 'the same bytes again')
  assert.equal((await send('PUT', '/chunks/0', wavOf('Other'))).status, 409)
  await send('POST', '/finish', { chunks: 3 })
  assert.match((await untilStatus(portal, id, token, 'done')).transcript_so_far, /One\s+Two\s+Three/)
  const audio = await until(
    () => portal.owner.get(`/api/v2/conversations/${id}/audio`),
    ({ status }) => status === 200,
  )
  assert.ok(Number(audio.headers.get('content-length')) > 96_000)
  const part = await portal.owner.get(`/api/v2/conversations/${id}/audio`, { range: 'bytes=0-3' })
  assert.deepEqual([part.status, part.text], [206, 'RIFF'])
  // They are stored after the audio.
  await until(
    () => portal.owner.get(`/api/v2/conversations/${id}/peaks`),
    ({ status }) => status === 200,
  )

  const created = await portal.owner.post(`/api/v2/workspaces/${portal.workspaceId}/export`)
  const zip = await fetch(`${first.url}${created.headers.get('location')}?format=zip`, {
    headers: { authorization: `Bearer ${portal.owner.token}` },
  })
  assert.ok((await zip.arrayBuffer()).byteLength > 96_000)

  assert.ok((await objectsOf(id)).length >= 5)
  assert.equal((await send('DELETE', '')).status, 204)
  const left = await until(
    () => objectsOf(id),
    (keys) => keys.length === 1,
  )
  assert.deepEqual(left, [`${bucket.prefix}/files/erasures/${id}`], 'all versions are erased')
})

test('an upload that began at one process continues and ends at another', { skip }, async () => {
  const { id, token, send } = await newConversation(portal)
  const path = `/api/participant/conversations/${id}/uploads`
  const at = ({ url }: TestBackend) => tusClient(url, path, { 'x-participant-token': token })
  const [one, other] = [at(first), at(second)]
  const bytes = wavOf('From two machines', 200)
  const location = locationOf(await one.begin(bytes.length))
  const sending = one.startPatch(location, 0, bytes, 5_000_000)
  sending.on('error', () => {})
  const offsetAt = async () => Number((await other.head(location)).headers.get('upload-offset'))
  // Not by asking for the offset, which ends the request: it may not have brought any bytes yet.
  await until(
    () => objectsOf(basename(location)),
    (keys) => keys.some((key) => key.includes('.bytes-0')),
  )
  sending.destroy()
  // The first one can still store the last bytes that it got: like any client, the test asks for the offset again then.
  const reply = await until(
    async () => {
      const offset = await offsetAt()
      return other.patch(location, offset, bytes.subarray(offset))
    },
    ({ status }) => status !== 409,
  )
  assert.deepEqual([reply.status, reply.headers.get('x-conversation-id')], [204, id])
  // The first one knows that it is finished.
  assert.equal((await one.head(location)).headers.get('upload-offset'), String(bytes.length))
  await send('POST', '/finish')
  assert.equal((await untilStatus(portal, id, token, 'done')).transcript_so_far, 'From two machines')
})

test('a chunk is confirmed only when the bucket has it; 503 with Retry-After until then', {
  skip,
}, async () => {
  const { id, send } = await newConversation(portal)
  proxy.inject({ kind: 'slow-down', method: 'PUT', matching: new RegExp(id), times: 1_000 })
  const refused = await send('PUT', '/chunks/0', wavOf('Too early'))
  assert.deepEqual([refused.status, refused.body.code], [503, 'storage_unavailable'])
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.deepEqual((await send('GET', '')).body.received, [])
})

test('readiness names a bucket that cannot be reached', { skip }, async (t) => {
  const away = openS3Store({ ...bucket, endpoint: 'http://127.0.0.1:9', limits: { retryMs: 100 } })
  t.after(() => away.close())
  const third = await startBackend({ peerOf: first, files: away })
  t.after(() => third.stop())
  const ready = async ({ url }: TestBackend) => (await fetch(`${url}/api/ready`)).json()
  assert.deepEqual(await ready(third), { status: 'ready', degraded: ['files'] })
  assert.deepEqual(await ready(second), { status: 'ready', degraded: [] })
})
