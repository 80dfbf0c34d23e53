import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  accentColors,
  accentProblem,
  contrast,
  DARK_PAGE,
  LIGHT_PAGE,
  luminance,
  textOn,
} from './accent-color.ts'

const color = fc
  .tuple(fc.nat(255), fc.nat(255), fc.nat(255))
  .map((rgb) => `#${rgb.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`)

test('computes the contrast of known pairs', () => {
  const known: [string, string, number][] = [
    ['#000000', '#ffffff', 21],
    ['#777777', '#ffffff', 4.48],
    ['#767676', '#ffffff', 4.54],
    ['#ff0000', '#ffffff', 4.0],
    ['#0000ff', '#ffffff', 8.59],
    ['#ffff00', '#ffffff', 1.07],
    ['#14171c', '#ffffff', 17.96],
  ]
  for (const [one, other, expected] of known)
    assert.ok(Math.abs(contrast(one, other) - expected) < 0.01, `${one} ${contrast(one, other)}`)
})

test('contrast is symmetric, and between 1 and 21', () => {
  fc.assert(
    fc.property(color, color, (one, other) => {
      const ratio = contrast(one, other)
      assert.equal(ratio, contrast(other, one))
      assert.ok(ratio >= 1 && ratio <= 21)
      assert.equal(contrast(one, one), 1)
    }),
  )
})

test('every colour can carry text in white or black', () => {
  fc.assert(fc.property(color, (fill) => assert.ok(contrast(fill, textOn(fill)) >= 4.5)))
})

test('accepts exactly the colours that reach 3:1 on the white page', () => {
  fc.assert(
    fc.property(color, (fill) =>
      assert.equal(accentProblem(fill) === null, luminance(fill) <= 1.05 / 3 - 0.05),
    ),
  )
  for (const fine of ['#000000', '#003366', '#b3261e', '#0b7a3b', '#949494'])
    assert.equal(accentProblem(fine), null)
  assert.match(accentProblem('#ffcc00') ?? '', /1\.51:1 .* 3:1/)
  assert.match(accentProblem('#959595') ?? '', /2\.9\d:1/)
})

test('an accepted colour is visible and readable on the light and on the dark page', () => {
  fc.assert(
    fc.property(color, (fill) => {
      fc.pre(accentProblem(fill) === null)
      const { light, dark } = accentColors(fill)
      assert.equal(light.fill, fill)
      for (const [pair, page] of [
        [light, LIGHT_PAGE],
        [dark, DARK_PAGE],
      ] as const) {
        assert.ok(contrast(pair.fill, page) >= 3)
        assert.ok(contrast(pair.fill, pair.text) >= 4.5)
      }
      if (contrast(fill, DARK_PAGE) >= 3) assert.equal(dark.fill, fill)
    }),
  )
})
