import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { FileExists, type FileStore, FileTooLarge, HEAD_BYTES } from '../file-store.ts'
import { testUploads } from './upload-conformance.ts'

const MIB = 1024 * 1024

/** The promises of every file store implementation. */
export function testFileStore(name: string, open: () => Promise<FileStore>): void {
  const storeTest = (title: string, work: (files: FileStore) => Promise<void>): void =>
    void test(`${name}: ${title}`, async () => work(await open()))
  const put = async (files: FileStore, key: string, content: Buffer) => {
    const file = await files.receive(Readable.from([content]), 10 * MIB)
    await file.keep(key)
    return file
  }
  const read = async (files: FileStore, ...args: Parameters<FileStore['read']>) =>
    buffer(await files.read(...args))

  storeTest('reads back every byte, for any chunk sizes', async (files) => {
    const content = randomBytes(3 * MIB + 17)
    const pieces = [0, 1, 70_000, 2 * MIB, content.length].map((at, n, all) =>
      content.subarray(all[n - 1] ?? 0, at),
    )
    const file = await files.receive(Readable.from(pieces.filter(({ length }) => length > 0)), 10 * MIB)
    assert.equal(file.bytes, content.length)
    assert.ok(file.digest.equals(createHash('sha256').update(content).digest()))
    assert.equal(file.sha512, null)
    assert.ok(file.head.equals(content.subarray(0, HEAD_BYTES)))
    await file.keep('a/b/file-1')
    assert.ok((await read(files, 'a/b/file-1')).equals(content))
    assert.equal(await files.size('a/b/file-1'), content.length)
    await files.withPaths(['a/b/file-1'], async ([path]) => {
      // Paths are valid until the function ends.
      await files.size('a/b/file-1')
      assert.ok((await readFile(path as string)).equals(content))
    })
  })

  storeTest('computes SHA-512 on request', async (files) => {
    const content = randomBytes(MIB + 3)
    const parts = [content.subarray(0, 300_000), content.subarray(300_000)]
    const file = await files.receive(Readable.from(parts), 10 * MIB, { sha512: true })
    assert.ok(file.sha512?.equals(createHash('sha512').update(content).digest()))
    assert.ok(file.digest.equals(createHash('sha256').update(content).digest()))
    await file.discard()
  })

  storeTest('reads a range including both ends', async (files) => {
    await put(files, 'range', Buffer.from('0123456789'))
    assert.equal(String(await read(files, 'range', { first: 2, last: 4 })), '234')
    assert.equal(String(await read(files, 'range', { first: 9, last: 9 })), '9')
  })

  storeTest('does not store a file that is not kept', async (files) => {
    const file = await files.receive(Readable.from([Buffer.from('x')]), 10)
    assert.equal(await files.size('never'), null)
    await file.discard()
    await assert.rejects(file.keep('never'))
    assert.equal(await files.size('never'), null)
    await assert.rejects(read(files, 'never'))
  })

  storeTest('replaces a file as a whole, if asked to', async (files) => {
    await put(files, 'same', Buffer.from('first, and longer'))
    const other = await files.receive(Readable.from([Buffer.from('second')]), 10)
    await other.keep('same', { replace: true })
    assert.equal(String(await read(files, 'same')), 'second')
  })

  storeTest(
    'keeps the first of two different files with one key, and accepts the same bytes again',
    async (files) => {
      const contents = Array.from({ length: 6 }, (_, n) => Buffer.from(`writer ${n}`))
      const outcomes = await Promise.allSettled(
        contents.map((content) => put(files, 'race', Buffer.from(content))),
      )
      const kept = outcomes.findIndex(({ status }) => status === 'fulfilled')
      for (const [n, outcome] of outcomes.entries())
        if (n !== kept) assert.ok(outcome.status === 'rejected' && outcome.reason instanceof FileExists)
      await put(files, 'race', Buffer.from(contents[kept] as Buffer))
      assert.ok((await read(files, 'race')).equals(contents[kept] as Buffer))
    },
  )

  storeTest('stores a file in several parts', async (files) => {
    const content = randomBytes(17 * MIB + 11)
    const file = await files.receive(Readable.from([Buffer.from(content)]), 20 * MIB)
    await file.keep('large')
    const again = await files.receive(Readable.from([Buffer.from(content)]), 20 * MIB)
    await again.keep('large')
    await again.discard()
    assert.ok((await read(files, 'large')).equals(content))
    const range = { first: 8 * MIB - 5, last: 8 * MIB + 5 }
    assert.ok((await read(files, 'large', range)).equals(content.subarray(range.first, range.last + 1)))
  })

  storeTest('walks through all files', async (files) => {
    for (const key of ['walk/a/1', 'walk/b', 'top']) await put(files, key, Buffer.from(key))
    const found = await Array.fromAsync(files.walk(), ({ key, bytes }) => [key, bytes] as const)
    for (const key of ['walk/a/1', 'walk/b', 'top'])
      assert.deepEqual(
        found.find(([name]) => name === key),
        [key, key.length],
      )
  })

  storeTest('can be reached', (files) => files.check())

  storeTest('rejects files that are too large or incomplete, and leaves nothing behind', async (files) => {
    await assert.rejects(files.receive(Readable.from([Buffer.alloc(11)]), 10), FileTooLarge)
    const breaksOff = async function* () {
      yield Buffer.from('half')
      throw new Error('connection lost')
    }
    await assert.rejects(files.receive(Readable.from(breaksOff()), 10), /connection lost/)
    const exactly = await files.receive(Readable.from([Buffer.alloc(10)]), 10)
    assert.equal(exactly.bytes, 10)
    await exactly.discard()
  })

  storeTest('removes one file or everything below a prefix, and ignores missing files', async (files) => {
    for (const key of ['x/1/a', 'x/1/b', 'x/12/a', 'y']) await put(files, key, Buffer.from(key))
    await files.remove('x/1/a')
    await files.remove('x/1/a')
    await files.removeAll('x/1')
    await files.removeAll('nothing/here')
    assert.equal(await files.size('x/1/b'), null)
    assert.equal(await files.size('x/12/a'), 6)
    assert.equal(await files.size('y'), 1)
  })

  storeTest('lists the names below a prefix', async (files) => {
    for (const key of ['notes/one', 'notes/two', 'other/three']) await put(files, key, Buffer.from(key))
    assert.deepEqual((await Array.fromAsync(files.list('notes'))).toSorted(), ['one', 'two'])
    assert.deepEqual(await Array.fromAsync(files.list('nothing')), [])
  })

  storeTest('rejects keys that could leave the folder', async (files) => {
    for (const key of ['..', '../up', 'a/../../b', '/root', 'a//b', '', 'a/.hidden', 'nul\0', 'a\\b'])
      await assert.rejects(async () => files.size(key), key)
  })

  storeTest('stores many files at the same time', async (files) => {
    const contents = Array.from({ length: 40 }, (_, n) => Buffer.alloc(20_000, n))
    await Promise.all(contents.map((content, n) => put(files, `many/${n}`, Buffer.from(content))))
    for (const [n, content] of contents.entries()) assert.ok((await read(files, `many/${n}`)).equals(content))
  })

  storeTest('a failing upload does not affect others', async (files) => {
    async function* pieces(n: number) {
      for (let piece = 0; piece < 40; piece++) {
        if (n % 2 === 1 && piece === 20) throw new Error('connection lost')
        yield Buffer.alloc(50_000, n)
      }
    }
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, async (_, n) => {
        const file = await files.receive(Readable.from(pieces(n)), 10 * MIB)
        await file.keep(`midst/${n}`)
      }),
    )
    for (const [n, { status }] of outcomes.entries()) {
      assert.equal(status, n % 2 === 1 ? 'rejected' : 'fulfilled')
      const kept = n % 2 === 1 ? null : await read(files, `midst/${n}`)
      assert.ok(kept === null || kept.equals(Buffer.alloc(2_000_000, n)))
    }
  })

  testUploads(storeTest)
}
