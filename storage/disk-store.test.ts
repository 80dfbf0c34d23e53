import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { mountSmall } from '../test/support/small-disk.ts'
import { openDiskStore } from './disk-store.ts'
import { isDiskFull, StorageFull } from './file-store.ts'
import { testFileStore } from './testing/conformance.ts'

const folders: string[] = []
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-disk-'))
  folders.push(folder)
  return folder
}
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

testFileStore('on disk', async () => openDiskStore(await newFolder()))

test('removes incomplete files of killed processes after a day, not before', async () => {
  const folder = await newFolder()
  const files = await openDiskStore(folder)
  const incoming = join(folder, 'incoming')
  for (const name of ['old', 'new']) await writeFile(join(incoming, name), 'half')
  const yesterday = new Date(Date.now() - 25 * 3_600_000)
  await utimes(join(incoming, 'old'), yesterday, yesterday)
  await files.removeAbandoned()
  assert.deepEqual(await readdir(incoming), ['new'])
})

test('reports a full disk, leaves nothing behind, and recovers when there is space', async (t) => {
  const folder = await newFolder()
  if (!mountSmall(folder)) return t.skip('a small disk can be mounted by root alone')
  try {
    const files = await openDiskStore(folder)
    const receive = (bytes: number) => files.receive(Readable.from([Buffer.alloc(bytes)]), 10_000_000)
    const ballast = await receive(600_000)
    await assert.rejects(receive(900_000), StorageFull)
    assert.equal((await readdir(join(folder, 'incoming'))).length, 1)
    await ballast.discard()
    const file = await receive(900_000)
    await file.keep('fits')
    assert.equal(await files.size('fits'), 900_000)
  } finally {
    execFileSync('umount', [folder])
  }
})

test('rejects memory that cannot be transferred, and accepts the next file', async () => {
  const folder = await newFolder()
  const files = await openDiskStore(folder)
  // Handed over with the first portion, and gone when it comes again.
  const memory = new Uint8Array(300_000)
  await assert.rejects(files.receive(Readable.from([memory, memory]), 10_000_000), /Cannot transfer/)
  assert.deepEqual(await readdir(join(folder, 'incoming')), [])
  const next = await files.receive(Readable.from([Buffer.from('whole')]), 10_000_000)
  assert.equal(next.bytes, 5)
})

test('treats an exceeded quota like a full disk', () => {
  const quota = Object.assign(new Error('unknown error, write'), {
    code: 'Unknown system error -122',
    errno: -122,
  })
  assert.ok(isDiskFull(quota))
  assert.ok(isDiskFull(Object.assign(new Error('no space left'), { code: 'ENOSPC', errno: -28 })))
  assert.ok(!isDiskFull(Object.assign(new Error('denied'), { code: 'EACCES', errno: -13 })))
  assert.ok(!isDiskFull(new Error('something else')))
})
