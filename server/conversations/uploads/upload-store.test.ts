import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { Upload } from '@tus/server'
import { openDiskStore } from '../../../storage/disk-store.ts'
import { StorageFull } from '../../../storage/file-store.ts'
import fc from '../../../test/support/properties.ts'
import { mountSmall } from '../../../test/support/small-disk.ts'
import { receivedAs, UploadStore } from './upload-store.ts'

const folders: string[] = []
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-uploads-'))
  folders.push(folder)
  return folder
}
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

const begun = async (store: UploadStore, id: string, size: number) =>
  store.create(new Upload({ id, size, offset: 0, metadata: { title: 'Secret' } }))

/** Bytes after which the connection breaks. */
async function* brokenOff(bytes: Uint8Array) {
  yield bytes
  throw new Error('connection lost')
}

test('keeps all bytes that arrived before the connection broke, and reports their offset', async () => {
  const store = new UploadStore((await openDiskStore(await newFolder())).uploads)
  let n = 0
  const piece = fc.record({ bytes: fc.uint8Array({ minLength: 1, maxLength: 2_000 }), breaks: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 8 }), async (pieces) => {
      const id = `owner/${n++}`
      const whole = Buffer.concat(pieces.map(({ bytes }) => bytes))
      await begun(store, id, whole.length)
      for (const { bytes, breaks } of pieces) {
        const { offset } = await store.getUpload(id)
        const content = Readable.from(breaks ? brokenOff(bytes) : [bytes])
        const writing = store.write(content, id, offset)
        if (breaks) await assert.rejects(writing, /connection lost/)
        else assert.equal(await writing, offset + bytes.length)
      }
      assert.equal((await store.getUpload(id)).offset, whole.length)
      assert.ok((await buffer(await store.files.read(id))).equals(whole))
    }),
    { numRuns: 50 },
  )
})

test('a finished upload has its whole size, no bytes, and accepts none', async () => {
  const store = new UploadStore((await openDiskStore(await newFolder())).uploads)
  await begun(store, 'owner/1', 3)
  await store.write(Readable.from([Buffer.from('abc')]), 'owner/1', 0)
  const upload = await store.getUpload('owner/1')
  assert.equal(receivedAs(upload), null)
  for (let n = 0; n < 2; n++) await store.markReceived(upload, '/api/v2/conversations/1')
  const settled = await store.getUpload('owner/1')
  assert.deepEqual([settled.offset, settled.size, receivedAs(settled)], [3, 3, '/api/v2/conversations/1'])
  assert.equal(settled.metadata, undefined)
  assert.equal(await store.files.size('owner/1'), null)
  assert.equal(await store.write(Readable.from([]), 'owner/1', 3), 3)
})

test('reports a full disk and keeps the bytes before', async (t) => {
  const folder = await newFolder()
  if (!mountSmall(folder)) return t.skip('a small disk can be mounted by root alone')
  try {
    const store = new UploadStore((await openDiskStore(folder)).uploads)
    await begun(store, 'owner/1', 2_000_000)
    const parts = Array.from({ length: 40 }, () => Buffer.alloc(50_000, 7))
    await assert.rejects(store.write(Readable.from(parts), 'owner/1', 0), StorageFull)
    const { offset } = await store.getUpload('owner/1')
    assert.ok(offset >= 900_000, `${offset}`)
  } finally {
    execFileSync('umount', [folder])
  }
})
