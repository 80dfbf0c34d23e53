import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { endOf } from './end-of-text.ts'

test('the end of a text begins with a whole word', () => {
  const text = 'The park needs benches.\nAnd light at night.'
  assert.equal(endOf(text, 200), text)
  assert.equal(endOf(text, text.length), text)
  assert.equal(endOf(text, 8), 'night.')
  assert.equal(endOf(text, 6), 'night.')
  // The end of "benches" and its full stop are left out with it.
  assert.equal(endOf(text, 26), 'And light at night.')
  assert.equal(endOf("people don't know", 9), 'know')
})

test('the end of a text begins before or after a mark, not within it', () => {
  const text = 'We like trees\n[unclear] And water'
  assert.equal(endOf(text, 19), '[unclear] And water')
  assert.equal(endOf(text, 18), 'And water')
  // There is nothing after it.
  assert.equal(endOf('Trees\n[unclear]', 8), 'unclear]')
})

test('cuts between words of a language without spaces', () => {
  const end = endOf('公園にはもっとベンチが必要だと思います', 8)
  assert.ok(end.length > 0 && end.length <= 8)
  assert.ok('公園にはもっとベンチが必要だと思います'.endsWith(end))
})

test('cuts a word that is longer than the limit, but no character', () => {
  assert.equal(endOf('a'.repeat(500), 10), 'a'.repeat(10))
  assert.equal(endOf('😀'.repeat(300), 4), '😀😀')
  assert.ok(endOf('😀'.repeat(300), 5).isWellFormed())
})

test('the end of a text is at most as long as asked for, and never empty', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.integer({ min: 2, max: 50 }),
      (text, max) => {
        const end = endOf(text, max)
        assert.ok(text.endsWith(end) && end.length <= max && end.isWellFormed())
        assert.ok(end.length > 0)
      },
    ),
  )
})
