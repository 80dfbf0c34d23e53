import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { hasS3Server, NO_S3_SERVER, startS3Server } from '../test/support/servers/s3-server.ts'
import { openDiskStore } from './disk-store.ts'
import type { FileStore } from './file-store.ts'
import { layerStores } from './layered-store.ts'
import { type MoveOptions, moveFiles } from './move-files.ts'
import { openS3Store, type S3StoreOptions } from './s3/s3-store.ts'

const skip = hasS3Server() ? false : NO_S3_SERVER
const stack = new AsyncDisposableStack()
let bucket: S3StoreOptions
let disk: FileStore
before(async () => {
  if (skip) return
  const server = stack.use(await startS3Server())
  bucket = await server.newBucket()
})
after(() => stack.disposeAsync())

async function newStores() {
  const folder = await mkdtemp(join(tmpdir(), 'parley-move-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  disk = await openDiskStore(folder)
  const s3 = openS3Store({ ...bucket, prefix: folder.slice(-6) })
  stack.defer(() => s3.close())
  return { disk, s3 }
}

async function put(files: FileStore, key: string, content: string): Promise<void> {
  const file = await files.receive(Readable.from([Buffer.from(content)]), 1_000)
  await file.keep(key)
}
const read = async (files: FileStore, key: string): Promise<string> => text(await files.read(key))
const keysOf = async (files: FileStore): Promise<string[]> =>
  (await Array.fromAsync(files.walk(), ({ key }) => key)).toSorted()
const move = (from: FileStore, to: FileStore, more: Partial<MoveOptions> = {}) =>
  moveFiles({ from, to, remove: false, verify: false, onProgress: () => {}, ...more })
const moveTest = (title: string, work: () => Promise<void>): void => void test(title, { skip }, work)

moveTest('copies all files to a bucket and back, and copies none twice', async () => {
  const { disk, s3 } = await newStores()
  const keys = Array.from({ length: 20 }, (_, n) => `conversations/aa/${n}/0-x`)
  for (const key of keys) await put(disk, key, key)
  assert.equal((await move(disk, s3)).copied, 20)
  assert.deepEqual(await keysOf(s3), keys.toSorted())
  const again = await move(disk, s3, { verify: true })
  assert.deepEqual([again.copied, again.present], [0, 20])
  assert.equal((await move(disk, s3, { remove: true })).removed, 20)
  assert.deepEqual(await keysOf(disk), [])
  await move(s3, disk)
  assert.equal(await read(disk, keys[7] as string), keys[7])
})

moveTest('continues after an interruption', async () => {
  const { disk, s3 } = await newStores()
  for (const name of ['a', 'b', 'c', 'd']) await put(disk, `files/${name}`, name)
  let received = 0
  const failing: FileStore = {
    ...s3,
    receive: (...args) => (++received > 2 ? Promise.reject(new Error('interrupted')) : s3.receive(...args)),
  }
  await assert.rejects(move(disk, failing), /interrupted/)
  const { copied, present } = await move(disk, s3)
  assert.equal(copied + present, 4)
  assert.ok(present <= 2)
  assert.deepEqual(await keysOf(s3), await keysOf(disk))
})

moveTest('reports a copy with other bytes, and removes nothing then', async () => {
  const { disk, s3 } = await newStores()
  await put(disk, 'files/a', 'right')
  await put(s3, 'files/a', 'wrong')
  await assert.rejects(move(disk, s3, { remove: true }), /different files with the key files\/a/)
  assert.equal(await read(disk, 'files/a'), 'right')
})

moveTest('counts a file that was erased after it was listed as erased, not as already there', async () => {
  const { disk, s3 } = await newStores()
  await put(disk, 'files/a', 'a')
  const listing: FileStore = {
    ...disk,
    async *walk() {
      yield* disk.walk()
      yield { key: 'files/erased', bytes: 1 }
    },
  }
  const { copied, present, erased } = await move(listing, s3)
  assert.deepEqual({ copied, present, erased }, { copied: 1, present: 0, erased: 1 })
})

moveTest('does not bring back a file that is erased while it is copied', async () => {
  const { disk, s3 } = await newStores()
  await put(disk, 'person/audio', 'said')
  const erasing: FileStore = {
    ...s3,
    receive: async (...args) => {
      const file = await s3.receive(...args)
      await layerStores(s3, disk).removeAll('person')
      return file
    },
  }
  await move(disk, erasing)
  assert.deepEqual([await keysOf(disk), await keysOf(s3)], [[], []])
})

moveTest('while files move, the service reads from both stores and writes to the new one', async () => {
  const { disk, s3 } = await newStores()
  const both = layerStores(s3, disk)
  await put(disk, 'mixed/old', 'old')
  await put(both, 'mixed/new', 'new')
  assert.deepEqual([await s3.size('mixed/new'), await disk.size('mixed/new')], [3, null])
  assert.deepEqual([await read(both, 'mixed/old'), await read(both, 'mixed/new')], ['old', 'new'])
  assert.deepEqual((await Array.fromAsync(both.list('mixed'))).toSorted(), ['new', 'old'])
  await both.withPaths(['mixed/new', 'mixed/old'], async (paths) => assert.equal(paths.length, 2))
  await disk.uploads.create('p/o/u', '{}')
  await both.uploads.append('p/o/u', 0, Readable.from([Buffer.from('half')]))
  const file = await both.uploads.adopt('p/o/u')
  await file.keep('mixed/upload')
  assert.deepEqual([await s3.size('mixed/upload'), await disk.size('mixed/upload')], [4, null])
  await both.removeAll('mixed')
  assert.deepEqual([await keysOf(disk), await keysOf(s3)], [[], []])
})
