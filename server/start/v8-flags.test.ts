import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { HEAP_FLAGS } from './v8-flags.ts'

const MIB = 1024 * 1024

test('npm start passes the heap flags to node', () => {
  const manifest = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')
  const { start } = JSON.parse(manifest).scripts
  assert.deepEqual(start.match(/--\S+/g), HEAP_FLAGS)
})

test('the V8 flags limit the heap, and keep new objects out of the old space', () => {
  const program = join(import.meta.dirname, 'testing/measure-heap.ts')
  const { stdout, stderr } = spawnSync(process.execPath, [...HEAP_FLAGS, program], { encoding: 'utf8' })
  // V8 reports a flag that it does not know.
  assert.equal(stderr, '')
  const { limit, newSpace, createdInOldSpace } = JSON.parse(stdout)
  assert.ok(limit < 550 * MIB, `heap limit of ${limit}`)
  // Without the flags ADR 0010 saw 4,288 MiB, 128 MiB and 150 kB.
  assert.ok(newSpace < 32 * MIB, `new space of ${newSpace}`)
  assert.ok(createdInOldSpace < 50_000, `${createdInOldSpace} bytes were created in the old space`)
})
