import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type FileStore, HEAD_BYTES, type UploadFiles } from '../file-store.ts'

const MIB = 1024 * 1024

/** Bytes after which the connection breaks. */
async function* brokenOff(bytes: Uint8Array) {
  yield bytes
  throw new Error('connection lost')
}

type StoreTest = (title: string, work: (files: FileStore) => Promise<void>) => void

/** The promises about uploads in several requests. */
export function testUploads(storeTest: StoreTest): void {
  const begin = async ({ uploads }: FileStore, id: string): Promise<UploadFiles> => {
    await uploads.create(id, '{"size":1}')
    return uploads
  }
  const content = (bytes: Buffer) => Readable.from([Buffer.from(bytes)])

  storeTest('keeps all bytes of an upload that arrived before the connection broke', async (files) => {
    const uploads = await begin(files, 'p/o/broken')
    assert.equal(await uploads.size('p/o/broken'), 0)
    const whole = randomBytes(9 * MIB + 3)
    await assert.rejects(
      uploads.append('p/o/broken', 0, Readable.from(brokenOff(Buffer.from(whole.subarray(0, 6 * MIB))))),
      /connection lost/,
    )
    assert.equal(await uploads.size('p/o/broken'), 6 * MIB)
    assert.equal(await uploads.append('p/o/broken', 6 * MIB, content(whole.subarray(6 * MIB))), whole.length)
    assert.ok((await buffer(await uploads.read('p/o/broken'))).equals(whole))
  })

  storeTest('turns an upload into files, and keeps it until it is removed', async (files) => {
    const uploads = await begin(files, 'p/o/adopted')
    const whole = randomBytes(2 * MIB + 5)
    await uploads.append('p/o/adopted', 0, content(whole))
    for (const key of ['adopted/first', 'adopted/second']) {
      const file = await uploads.adopt('p/o/adopted')
      assert.equal(file.bytes, whole.length)
      assert.ok(file.digest.equals(createHash('sha256').update(whole).digest()))
      assert.ok(file.head.equals(whole.subarray(0, HEAD_BYTES)))
      await file.keep(key)
      await file.discard()
      assert.ok((await buffer(await files.read(key))).equals(whole))
    }
    await uploads.removeBytes('p/o/adopted')
    await assert.rejects(uploads.adopt('p/o/adopted'))
    assert.deepEqual(
      [await uploads.size('p/o/adopted'), await uploads.readNote('p/o/adopted')],
      [null, '{"size":1}'],
    )
    assert.equal(await files.size('adopted/first'), whole.length)
  })

  storeTest('replaces the note of an upload, and forgets a removed upload', async (files) => {
    const uploads = await begin(files, 'p/o/noted')
    await uploads.writeNote('p/o/noted', '{"size":2}')
    assert.equal(await uploads.readNote('p/o/noted'), '{"size":2}')
    await uploads.remove('p/o/noted')
    await uploads.remove('p/o/noted')
    assert.deepEqual([await uploads.readNote('p/o/noted'), await uploads.size('p/o/noted')], [null, null])
  })

  storeTest('lists uploads, adds up their bytes and removes those of an owner', async (files) => {
    const { uploads } = files
    for (const [id, bytes] of [
      ['listed/a/one', 10],
      ['listed/a/two', 5],
      ['listed/b/three', 7],
    ] as const) {
      await begin(files, id)
      await uploads.append(id, 0, content(Buffer.alloc(bytes)))
    }
    const list = async (prefix?: string) => (await Array.fromAsync(uploads.list(prefix))).toSorted()
    assert.ok((await list()).includes('listed'))
    assert.deepEqual(await list('listed'), ['a', 'b'])
    assert.deepEqual(await list('listed/a'), ['one', 'one.json', 'two', 'two.json'])
    assert.equal(await uploads.bytesIn('listed'), 22)
    await uploads.removeAll('listed/a')
    assert.deepEqual([await list('listed/a'), await uploads.bytesIn('listed')], [[], 7])
  })
}
