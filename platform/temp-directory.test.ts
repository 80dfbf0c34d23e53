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

test('a scratch folder goes with its use', async () => {
  let path: string
  {
    await using scratch = await createTempDirectory()
    path = scratch.path
    await writeFile(join(path, 'said'), 'words')
  }
  assert.equal(await isThere(path), false)
})

test('what a killed process left is taken away by one that has its number now', async () => {
  const left = await mkdtemp(join(tmpdir(), `parley-scratch-${process.pid}-00000000-`))
  await removeAbandonedTempDirectories()
  assert.equal(await isThere(left), false)
})

test('what a killed process left is taken away, and what a living one uses is not', async () => {
  await using own = await createTempDirectory()
  const program = `
    const { openScratch } = await import(${JSON.stringify(import.meta.resolve('./temp-directory.ts'))})
    console.log((await openScratch()).path)
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
