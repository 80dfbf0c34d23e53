import assert from 'node:assert/strict'
import { chmod, lstat, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { createLog } from '../platform/log.ts'
import { createTempDirectory } from '../platform/temp-directory.ts'
import { openDiskStore, protectDiskStore } from './disk-store.ts'

const folders: string[] = []
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

const modeOf = async (path: string): Promise<string> => ((await lstat(path)).mode & 0o777).toString(8)
const repairing = { signal: new AbortController().signal, log: createLog('silent') }

/** A store as versions before made it. */
async function oldStore(): Promise<{ folder: string; chunk: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-modes-'))
  folders.push(folder)
  const conversation = join(folder, 'files/conversations/aa/one')
  await mkdir(conversation, { recursive: true })
  for (const name of ['incoming', 'uploads']) await mkdir(join(folder, name))
  const chunk = join(conversation, '0-chunk')
  await writeFile(chunk, 'said')
  await writeFile(join(folder, 'uploads/half'), 'half')
  for (const path of ['', 'files', 'files/conversations', 'files/conversations/aa', 'incoming', 'uploads'])
    await chmod(join(folder, path), 0o755)
  for (const path of [conversation, chunk, join(folder, 'uploads/half')])
    await chmod(path, path === conversation ? 0o755 : 0o644)
  return { folder, chunk }
}

test('makes a readable tree private, first at the top, then below', async () => {
  const { folder, chunk } = await oldStore()
  const repair = await protectDiskStore(folder)
  for (const path of ['', 'files', 'incoming', 'uploads'])
    assert.equal(await modeOf(join(folder, path)), '700')
  assert.equal(await modeOf(chunk), '644')
  await repair?.(repairing)
  assert.equal(await modeOf(chunk), '600')
  assert.equal(await modeOf(join(chunk, '..')), '700')
  assert.equal(await modeOf(join(folder, 'uploads/half')), '600')
  assert.equal(await protectDiskStore(folder), null)
})

test('continues an interrupted repair at the next start', async () => {
  const { folder, chunk } = await oldStore()
  const repair = await protectDiskStore(folder)
  await repair?.({ ...repairing, signal: AbortSignal.abort() })
  assert.equal(await modeOf(chunk), '644')
  const again = await protectDiskStore(folder)
  assert.ok(again)
  await again(repairing)
  assert.equal(await modeOf(chunk), '600')
})

test('repairs a tree that became readable after an earlier repair, as when a backup is restored', async () => {
  const { folder, chunk } = await oldStore()
  await (await protectDiskStore(folder))?.(repairing)
  await chmod(join(folder, 'files'), 0o755)
  await chmod(chunk, 0o644)
  await (await protectDiskStore(folder))?.(repairing)
  assert.deepEqual([await modeOf(join(folder, 'files')), await modeOf(chunk)], ['700', '600'])
})

test('keeps the mode of a shared folder and makes our files in it private', async () => {
  const { folder, chunk } = await oldStore()
  const foreign = join(folder, 'somebody else')
  await writeFile(foreign, 'theirs')
  await chmod(foreign, 0o644)
  await (await protectDiskStore(folder))?.(repairing)
  assert.deepEqual([await modeOf(folder), await modeOf(foreign)], ['755', '644'])
  assert.deepEqual([await modeOf(join(folder, 'files')), await modeOf(chunk)], ['700', '600'])
})

test('does not change the targets of links', async () => {
  const { folder, chunk } = await oldStore()
  const target = await mkdtemp(join(tmpdir(), 'parley-modes-'))
  folders.push(target)
  await chmod(target, 0o755)
  await symlink(target, join(chunk, '../link'))
  await (await protectDiskStore(folder))?.(repairing)
  assert.equal((await stat(target)).mode & 0o777, 0o755)
})

test('removes permissions and never adds any', async () => {
  const { folder, chunk } = await oldStore()
  await chmod(chunk, 0o444)
  await (await protectDiskStore(folder))?.(repairing)
  assert.equal(await modeOf(chunk), '400')
})

test('creates private files and folders with any umask', async () => {
  const folder = join(await mkdtemp(join(tmpdir(), 'parley-modes-')), 'new')
  folders.push(join(folder, '..'))
  assert.ok(await protectDiskStore(folder))
  const before = process.umask(0)
  try {
    const files = await openDiskStore(folder)
    const file = await files.receive(Readable.from([Buffer.from('said')]), 10)
    await file.keep('conversations/aa/one/0')
    for (const path of ['incoming', 'uploads', 'files', 'files/conversations/aa/one'])
      assert.equal(await modeOf(join(folder, path)), '700', path)
    assert.equal(await modeOf(join(folder, 'files/conversations/aa/one/0')), '600')
    await using tempFolder = await createTempDirectory()
    assert.equal(await modeOf(tempFolder.path), '700')
  } finally {
    process.umask(before)
  }
})
