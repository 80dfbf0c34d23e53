import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runEach } from './run-each.ts'

test('continues after a failure and throws it at the end', async () => {
  const seen: number[] = []
  const work = runEach([1, 2, 3], async (n) => {
    seen.push(n)
    if (n < 3) throw new Error(`no ${n}`)
  })
  await assert.rejects(work, /no 1/)
  assert.deepEqual(seen, [1, 2, 3])
})

test('stops after five failures', async () => {
  let tries = 0
  const work = runEach(Array(100).keys(), async () => {
    tries++
    throw new Error('away')
  })
  await assert.rejects(work, /away/)
  assert.equal(tries, 5)
})

test('returns the results in the order of the items', async () => {
  assert.deepEqual(await runEach([1, 2, 3], async (n) => n * n), [1, 4, 9])
})
