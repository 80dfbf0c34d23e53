import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../test/support/properties.ts'
import { packLines, tokensOf } from './sources.ts'

test('batches keep the order of lines, stay within the limit and lose no character', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 2_000 }),
    fc.constantFrom('橋'.repeat(900), 'word '.repeat(900)),
  )
  fc.assert(
    fc.property(fc.array(text, { maxLength: 10 }), fc.integer({ min: 60, max: 500 }), (texts, maxTokens) => {
      const batches = packLines(
        texts.map((one) => ({ text: one, evidence: [] })),
        maxTokens,
      )
      assert.equal(
        batches
          .flat()
          .map((line) => line.text)
          .join(''),
        texts.join(''),
      )
      for (const batch of batches) {
        assert.ok(batch.length > 0)
        assert.ok(batch.reduce((sum, line) => sum + tokensOf(line), 0) <= maxTokens)
      }
    }),
  )
})
