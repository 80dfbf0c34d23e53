import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runEach } from './run-each.ts'

test('one that fails keeps no other from its turn, and is told of at the end', async () => {
  const seen: number[] = []
  const work = runEach([1, 2, 3], async (n) => {
    seen.push(n)
    if (n < 3) throw new Error(`no ${n}`)
  })
  await assert.rejects(work, /no 1/)
  assert.deepEqual(seen, [1, 2, 3])
})

test('when nothing works the rest is left for another time', async () => {
  let tries = 0
  const work = runEach(Array(100).keys(), async () => {
    tries++
    throw new Error('away')
  })
  await assert.rejects(work, /away/)
  assert.equal(tries, 5)
})

test('the results are in the order of the items', async () => {
  assert.deepEqual(await runEach([1, 2, 3], async (n) => n * n), [1, 4, 9])
})
