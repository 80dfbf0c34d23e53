import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, type TestContext, test } from 'node:test'
import {
  hasS3Server,
  NO_S3_SERVER,
  type S3Server,
  startS3Server,
} from '../../test/support/servers/s3-server.ts'
import { FileExists, type FileStore, StorageUnavailable, UploadConflict } from '../file-store.ts'
import { requireExclusiveWrites } from '../require-exclusive.ts'
import { type FaultProxy, startFaultProxy } from '../testing/fault-proxy.ts'
import { createS3Client, type S3Limits } from './client.ts'
import { listUnfinished, listVersions } from './list-objects.ts'
import { S3Error } from './s3-error.ts'
import { openS3Store, type S3StoreOptions } from './s3-store.ts'

const MIB = 1024 * 1024
const skip = hasS3Server() ? false : NO_S3_SERVER
let server: S3Server
before(async () => {
  if (!skip) server = await startS3Server()
})
after(() => server?.stop())

interface FaultyStore {
  files: FileStore
  proxy: FaultProxy
  bucket: S3StoreOptions
}

async function setUp(t: TestContext, options: { versioned?: boolean; limits?: Partial<S3Limits> } = {}) {
  const bucket = await server.newBucket(options)
  const proxy = await startFaultProxy(server.endpoint)
  const files = openS3Store({
    ...bucket,
    endpoint: proxy.endpoint,
    ...(options.limits && { limits: options.limits }),
  })
  t.after(async () => {
    await files.close()
    await proxy[Symbol.asyncDispose]()
  })
  return { files, proxy, bucket } satisfies FaultyStore
}

async function put(files: FileStore, key: string, content: Buffer, replace = false): Promise<void> {
  const file = await files.receive(Readable.from([Buffer.from(content)]), 100 * MIB)
  try {
    await file.keep(key, { replace })
  } finally {
    await file.discard()
  }
}

const s3Test = (title: string, work: (t: TestContext) => Promise<void>): void =>
  void test(title, { skip }, work)

s3Test('retries a request that the server slows down', async (t) => {
  const { files, proxy } = await setUp(t)
  proxy.inject({ kind: 'slow-down', method: 'PUT', times: 3 })
  await put(files, 'slow', Buffer.from('said'))
  assert.equal(await files.size('slow'), 4)
  assert.equal(proxy.requests.filter((line) => line.startsWith('PUT')).length, 4)
})

s3Test('gives up when slowing down lasts, and does not confirm the file', async (t) => {
  const { files, proxy } = await setUp(t, { limits: { retryMs: 300 } })
  proxy.inject({ kind: 'slow-down', method: 'PUT', times: 1_000 })
  await assert.rejects(put(files, 'never', Buffer.from('said')), StorageUnavailable)
  assert.equal(await files.size('never'), null)
})

s3Test('a hanging server is given up after the timeout', async (t) => {
  const { files, proxy } = await setUp(t, { limits: { attemptMs: 200, retryMs: 100 } })
  proxy.inject({ kind: 'hang', times: 1_000 })
  await assert.rejects(files.size('any'), StorageUnavailable)
  await assert.rejects(files.check(), StorageUnavailable)
})

s3Test('a lost response to a conditional write is not a conflict with itself', async (t) => {
  const { files, proxy } = await setUp(t)
  proxy.inject({ kind: 'lose-response', method: 'PUT' })
  await put(files, 'once', Buffer.from('said'))
  await assert.rejects(put(files, 'once', Buffer.from('other')), FileExists)
  assert.equal(String(await buffer(await files.read('once'))), 'said')
})

s3Test('continues to read after connections that break in the body', async (t) => {
  const { files, proxy } = await setUp(t)
  const content = randomBytes(3 * MIB)
  await put(files, 'long', content)
  proxy.inject({ kind: 'cut-body', method: 'GET', times: 3 })
  assert.ok((await buffer(await files.read('long'))).equals(content))
  proxy.inject({ kind: 'cut-body', method: 'GET' })
  const range = { first: 1_000_000, last: 2_000_000 }
  assert.ok((await buffer(await files.read('long', range))).equals(content.subarray(1_000_000, 2_000_001)))
})

s3Test('sends lost parts again, and completes an upload whose confirmation was lost', async (t) => {
  const { files, proxy } = await setUp(t)
  const content = randomBytes(17 * MIB)
  proxy.inject({ kind: 'lose-response', method: 'PUT', matching: /partNumber=2/ })
  proxy.inject({ kind: 'slow-down', method: 'PUT', matching: /partNumber=3/, times: 2 })
  proxy.inject({ kind: 'lose-response', method: 'POST', matching: /uploadId=/ })
  await put(files, 'parts', content)
  assert.ok((await buffer(await files.read('parts'))).equals(content))
})

s3Test('completes an upload again when the server reports an error after the status', async (t) => {
  const { files, proxy } = await setUp(t)
  proxy.inject({ kind: 'late-error', method: 'POST', matching: /uploadId=/ })
  await put(files, 'late', randomBytes(9 * MIB))
  assert.equal(await files.size('late'), 9 * MIB)
})

s3Test('aborts an upload in parts that it gives up', async (t) => {
  const { files, proxy, bucket } = await setUp(t, { limits: { retryMs: 300 } })
  proxy.inject({ kind: 'slow-down', method: 'PUT', matching: /partNumber=2/, times: 1_000 })
  await assert.rejects(put(files, 'given-up', randomBytes(17 * MIB)), StorageUnavailable)
  const client = createS3Client(bucket)
  assert.deepEqual(await Array.fromAsync(listUnfinished(client, bucket.prefix)), [])
  await client.close()
})

s3Test('retries objects that a removal of several reported as failed', async (t) => {
  const { files, proxy } = await setUp(t)
  for (const name of ['a', 'b', 'c']) await put(files, `gone/${name}`, Buffer.from(name))
  proxy.inject({ kind: 'partial', method: 'POST', matching: /delete/, times: 2 })
  await files.removeAll('gone')
  assert.equal(proxy.requests.filter((line) => /^POST .*delete/.test(line)).length, 3)
  assert.deepEqual(await Array.fromAsync(files.list('gone')), [])
})

s3Test('reports objects that cannot be removed', async (t) => {
  const { files, proxy } = await setUp(t)
  await put(files, 'stays/a', Buffer.from('a'))
  proxy.inject({ kind: 'partial', method: 'POST', matching: /delete/, times: 100 })
  await assert.rejects(files.removeAll('stays'), StorageUnavailable)
})

s3Test('erases every version and delete marker in a bucket with versions', async (t) => {
  const { files, bucket } = await setUp(t, { versioned: true })
  for (const text of ['first', 'second', 'third']) await put(files, 'person/audio', Buffer.from(text), true)
  await put(files, 'person/other', Buffer.from('said'))
  await put(files, 'single', Buffer.from('said'))
  await put(files, 'singles', Buffer.from('stays'))
  await files.remove('single')
  await files.removeAll('person')
  const client = createS3Client(bucket)
  const versions = (await Array.fromAsync(listVersions(client, ''))).flat()
  await client.close()
  assert.deepEqual(
    versions.map(({ key }) => key),
    [`${bucket.prefix}/files/singles`],
  )
})

s3Test('two processes that append to one upload never overwrite each other', async (t) => {
  const { files, bucket } = await setUp(t)
  const other = openS3Store(bucket)
  t.after(() => other.close())
  const whole = randomBytes(6 * MIB)
  await files.uploads.create('p/o/u', '{}')
  const append = (store: FileStore, from: number, to: number) =>
    store.uploads.append('p/o/u', from, Readable.from([Buffer.from(whole.subarray(from, to))]))
  assert.equal(await append(files, 0, 2 * MIB), 2 * MIB)
  // The client resumed at another process, while the first still had a part of the next bytes.
  const outcomes = await Promise.allSettled([
    append(files, 2 * MIB, 3 * MIB),
    append(other, 2 * MIB, 6 * MIB),
  ])
  const lost = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
  assert.ok(lost.length === 1 && lost[0]?.reason instanceof UploadConflict)
  const offset = (await other.uploads.size('p/o/u')) as number
  if (offset < whole.length) await append(other, offset, whole.length)
  assert.ok((await buffer(await files.uploads.read('p/o/u'))).equals(whole))
})

s3Test('a server must support conditional writes', async (t) => {
  const { files } = await setUp(t)
  await requireExclusiveWrites(files)
  const careless: FileStore = {
    ...files,
    receive: async (...args) => {
      const file = await files.receive(...args)
      return { ...file, keep: (key) => file.keep(key, { replace: true }) }
    },
  }
  await assert.rejects(requireExclusiveWrites(careless), /If-None-Match/)
})

s3Test('no error contains the secret or the access key', async (t) => {
  const { bucket } = await setUp(t)
  const files = openS3Store({ ...bucket, secretAccessKey: 'not-the-secret' })
  t.after(() => files.close())
  const error: unknown = await files.size('any').catch((reason: unknown) => reason)
  assert.ok(error instanceof S3Error && error.status === 403)
  assert.doesNotMatch(`${error.stack}${JSON.stringify(error)}`, /secret|parley-test/)
})
