import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from '../../test/support/properties.ts'
import { hmac, hmacKey } from './hmac.ts'

const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array))
const head = fc.string({ unit: 'binary-ascii', maxLength: 80 })

test('it is HMAC-SHA256 for every key, head and body, also for keys longer than a block', () => {
  fc.assert(
    fc.property(
      bytes(200),
      head,
      fc.string({ unit: 'binary', maxLength: 9_000 }),
      fc.constantFrom('hex', 'base64'),
      (key, head, body, encoding) => {
        const expected = createHmac('sha256', key).update(head, 'latin1').update(body).digest(encoding)
        assert.equal(hmac(hmacKey(key), head, body, encoding), expected)
      },
    ),
  )
})
