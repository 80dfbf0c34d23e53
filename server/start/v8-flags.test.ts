import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { HEAP_FLAGS } from './v8-flags.ts'

const MIB = 1024 * 1024

test('npm start passes the heap flags to node', () => {
  const manifest = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')
  const { start } = JSON.parse(manifest).scripts
  assert.deepEqual(start.match(/--\S+/g), HEAP_FLAGS)
})

function measureHeap(nodeFlags: string[], ...options: string[]) {
  const program = join(import.meta.dirname, 'testing/measure-heap.ts')
  const { stdout, stderr } = spawnSync(process.execPath, [...nodeFlags, program, ...options], {
    encoding: 'utf8',
  })
  // V8 reports a flag that it does not know.
  assert.equal(stderr, '')
  return JSON.parse(stdout)
}

test('the V8 flags limit the heap and keep new objects out of the old space', () => {
  const { limit, newSpace, createdInOldSpace } = measureHeap(HEAP_FLAGS)
  assert.ok(limit < 550 * MIB, `heap limit of ${limit}`)
  assert.ok(newSpace < 64 * MIB, `new space of ${newSpace}`)
  assert.ok(createdInOldSpace < 50_000, `${createdInOldSpace} bytes were created in the old space`)
})

test('without the flags V8 has a larger new space and creates objects in the old space', () => {
  assert.ok(measureHeap([]).newSpace > 64 * MIB, 'the limit on the new space is no longer needed')
  // On a busy machine V8 may decide too late for one run to see it.
  const seen = Array.from({ length: 10 }).some(
    () => measureHeap(HEAP_FLAGS, '--plain').createdInOldSpace > 100_000,
  )
  assert.ok(seen, 'the flag against pretenuring is no longer needed')
})

test('the flag for the growth of the heap saves full collections', async () => {
  const program = join(import.meta.dirname, 'testing/count-full-collections.ts')
  const count = async (...options: string[]): Promise<number> => {
    const { stdout } = await promisify(execFile)(process.execPath, [...HEAP_FLAGS, program, ...options])
    return JSON.parse(stdout).fullCollections
  }
  const [withFlag, without] = await Promise.all([count(), count('--plain')])
  assert.ok(withFlag < without, `${withFlag} full collections with the flag, ${without} without it`)
})
