import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../test/support/properties.ts'
import type { Passage } from './passages.ts'
import { thin } from './select.ts'

const passage = (index: number): Passage => {
  const keys = [`word${index % 7}`, `word${index % 3}`]
  return {
    text: `passage ${index}`,
    utterance: `u${index}`,
    conversation: '',
    terms: [],
    keys,
    locale: 'en',
    concern: { asks: false, objects: false, lacks: false, weight: 0, start: 0 },
    unclear: false,
  }
}

test('thins a long list evenly and in order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 100 }), (length, atMost) => {
      const passages = Array.from({ length }, (_, index) => passage(index))
      const kept = thin(passages, atMost).map((one) => passages.indexOf(one))
      assert.equal(kept.length, Math.min(length, atMost))
      const stretch = Math.max(1, length / atMost)
      for (const [place, index] of kept.entries())
        assert.ok(
          index >= Math.floor(place * stretch) && index < (place + 1) * stretch,
          `${index} at ${place}`,
        )
    }),
  )
})
