import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTempDirectory, removeAbandonedTempDirectories } from './temp-directory.ts'

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

test('removes a temp directory on disposal', async () => {
  let path: string
  {
    await using directory = await createTempDirectory()
    path = directory.path
    await writeFile(join(path, 'said'), 'words')
  }
  assert.equal(await isThere(path), false)
})

test('removes the directory of a killed process with the same pid', async () => {
  const left = await mkdtemp(join(tmpdir(), `parley-temp-${process.pid}-00000000-`))
  await removeAbandonedTempDirectories()
  assert.equal(await isThere(left), false)
})

test('removes directories of killed processes, not of living ones', async () => {
  await using own = await createTempDirectory()
  const program = `
    const { createTempDirectory } = await import(${JSON.stringify(import.meta.resolve('./temp-directory.ts'))})
    console.log((await createTempDirectory()).path)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const theirs = String(line).trim()
  await removeAbandonedTempDirectories()
  assert.deepEqual([await isThere(own.path), await isThere(theirs)], [true, true])
  child.kill('SIGKILL')
  await once(child, 'exit')
  await removeAbandonedTempDirectories()
  assert.deepEqual([await isThere(own.path), await isThere(theirs)], [true, false])
})
