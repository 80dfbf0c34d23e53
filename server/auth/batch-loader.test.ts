import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createBatchLoader } from './batch-loader.ts'

/** Loads the squares of odd numbers, and records its calls. */
function squares() {
  const loaded: number[][] = []
  const load = createBatchLoader(async (numbers: number[]) => {
    loaded.push(numbers)
    return new Map(numbers.filter((number) => number % 2 === 1).map((number) => [number, number ** 2]))
  })
  return { load, loaded }
}

test('loads the keys of one turn together, each once, and returns each caller its value', async () => {
  const { load, loaded } = squares()
  assert.deepEqual(await Promise.all([3, 4, 3, 5].map(load)), [9, undefined, 9, 25])
  assert.deepEqual(loaded, [[3, 4, 5]])
})

test('reloads a key that is requested during a load', async () => {
  const release = Promise.withResolvers<void>()
  let version = 0
  const load = createBatchLoader(async (keys: string[]) => {
    const value = ++version
    await release.promise
    return new Map(keys.map((key) => [key, value]))
  })
  const first = load('it')
  await nextTurn()
  const second = load('it')
  await nextTurn()
  release.resolve()
  assert.deepEqual(await Promise.all([first, second]), [1, 2])
})

test('rejects all callers of a failed batch, and no later ones', async () => {
  let isBroken = true
  const load = createBatchLoader(async (keys: string[]) => {
    if (isBroken) throw new Error('not now')
    return new Map(keys.map((key) => [key, key]))
  })
  const results = await Promise.allSettled([load('a'), load('b')])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  isBroken = false
  assert.equal(await load('a'), 'a')
})
