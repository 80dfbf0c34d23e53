import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createUploadLocks } from './upload-locks.ts'

test('an unlocked upload can immediately be locked by other processes', async () => {
  const released = Promise.withResolvers<void>()
  const locker = createUploadLocks({
    take: async () => ({ fullAt: null, release: () => released.promise }),
    want: async () => {},
  })
  const lock = locker(false).newLock('upload')
  await lock.lock(new AbortController().signal, () => {})
  let isUnlocked = false
  const unlocking = lock.unlock().then(() => (isUnlocked = true))
  await turn()
  assert.equal(isUnlocked, false)
  released.resolve()
  await unlocking
})
