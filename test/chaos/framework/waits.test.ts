import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endsWithin, inTime, Waits } from './waits.ts'

const never = new Promise<void>(() => {})

test('lists open waits, and leaves out those that succeeded or failed', async () => {
  const waits = new Waits()
  void waits.for('the API to come up', never)
  await waits.for('the worker to come up', Promise.resolve())
  await assert.rejects(waits.for('the model', Promise.reject(new Error('gone'))), /gone/)
  assert.deepEqual(waits.list(), ['waited 0 s for the API to come up'])
  await assert.rejects(inTime(waits, never, 0), /time limit exceeded: waited 0 s for the API to come up/)
})

test('passes on a value or an error that comes in time', async () => {
  assert.equal(await inTime(new Waits(), Promise.resolve('ready'), 60_000), 'ready')
  await assert.rejects(inTime(new Waits(), Promise.reject(new Error('broken')), 60_000), /broken/)
  assert.equal(await endsWithin(Promise.resolve(), 60_000), true)
  assert.equal(await endsWithin(never, 0), false)
})
