import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/support/properties.ts'
import { createImdct } from './imdct.ts'

/** The formula of the standard (ISO/IEC 14496-3, 4.6.11.3.1), with N = 2 × number of spectral lines. */
function inverseByDefinition(lines: Float32Array): number[] {
  const N = 2 * lines.length
  const middle = (N / 2 + 1) / 2
  return Array.from({ length: N }, (_, n) => {
    let sum = 0
    for (const [k, line] of lines.entries())
      sum += line * Math.cos(((2 * Math.PI) / N) * (n + middle) * (k + 0.5))
    return (2 / N) * sum
  })
}

for (const count of [8, 128])
  test(`the fast transform of ${count} lines equals the slow one`, () => {
    const imdct = createImdct(count)
    const anyLines = fc
      .array(fc.float({ min: -1_000, max: 1_000, noNaN: true }), { minLength: count, maxLength: count })
      .map((lines) => Float32Array.from(lines))
    fc.assert(
      fc.property(anyLines, (lines) => {
        const samples = imdct.transform(lines)
        for (const [n, expected] of inverseByDefinition(lines).entries())
          assert.ok(Math.abs((samples[n] as number) - expected) < 1e-3, `${n}`)
      }),
      { numRuns: 30 },
    )
  })
