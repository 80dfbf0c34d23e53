import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createBatchLoader } from './batch-loader.ts'

/** Knows the squares of odd numbers, and keeps what it was asked. */
function squares() {
  const asked: number[][] = []
  const ask = createBatchLoader(async (numbers: number[]) => {
    asked.push(numbers)
    return new Map(numbers.filter((number) => number % 2 === 1).map((number) => [number, number ** 2]))
  })
  return { ask, asked }
}

test('what is asked in one turn is asked together, each thing once, and each asker gets their own answer', async () => {
  const { ask, asked } = squares()
  assert.deepEqual(await Promise.all([3, 4, 3, 5].map(ask)), [9, undefined, 9, 25])
  assert.deepEqual(asked, [[3, 4, 5]])
})

test('what is asked while an answer is under way is asked anew', async () => {
  const release = Promise.withResolvers<void>()
  let version = 0
  const ask = createBatchLoader(async (keys: string[]) => {
    const answer = ++version
    await release.promise
    return new Map(keys.map((key) => [key, answer]))
  })
  const first = ask('it')
  await nextTurn()
  const second = ask('it')
  await nextTurn()
  release.resolve()
  assert.deepEqual(await Promise.all([first, second]), [1, 2])
})

test('a failure is told to all who asked, and to nobody after them', async () => {
  let isBroken = true
  const ask = createBatchLoader(async (keys: string[]) => {
    if (isBroken) throw new Error('not now')
    return new Map(keys.map((key) => [key, key]))
  })
  const told = await Promise.allSettled([ask('a'), ask('b')])
  assert.deepEqual(
    told.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  isBroken = false
  assert.equal(await ask('a'), 'a')
})
