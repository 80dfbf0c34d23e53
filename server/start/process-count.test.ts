import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { connectionsFor, processesFor, wantedProcesses } from './process-count.ts'

test('one process on two cores, one more for each two further ones, eight at most', () => {
  const cores = [1, 2, 3, 4, 8, 16, 64]
  assert.deepEqual(
    cores.map((count) => wantedProcesses('auto', count)),
    [1, 1, 1, 2, 4, 8, 8],
  )
  assert.equal(wantedProcesses(3, 1), 3)
})

test('never more processes than the database has connections for, and always one', () => {
  assert.deepEqual(
    [10, 60, 84, 85, 100, 200].map((connections) => processesFor(8, connections)),
    [1, 1, 1, 2, 2, 6],
  )
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 64 }), (processes) =>
      assert.equal(processesFor(processes, connectionsFor(processes)), processes),
    ),
  )
})
