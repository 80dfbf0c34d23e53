import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { systemClock } from '../../platform/clock.ts'
import { whileAllowed } from './while-allowed.ts'

async function* endless(): AsyncGenerator<Buffer> {
  while (true) yield Buffer.alloc(1_000)
}

test('ends a download that the client stopped reading, and no other', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const zip: Readable = Readable.from(
    whileAllowed(endless(), {
      reauthorize: async () => {},
      onIdle: () => zip.destroy(new Error('idle')),
      clock: systemClock,
    }),
    { objectMode: false, highWaterMark: 1_000 },
  )
  const taken = zip.iterator()
  for (let minute = 0; minute < 10; minute++) {
    await taken.next()
    t.mock.timers.tick(60_000)
  }
  assert.equal(zip.destroyed, false)
  await taken.next()
  t.mock.timers.tick(6 * 60_000)
  assert.equal(zip.destroyed, true)
  await assert.rejects(taken.next(), /idle/)
})
