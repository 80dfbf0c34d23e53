import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../test/support/properties.ts'
import { directionOf, levelsOf, mirrored, visualOrder } from './bidi.ts'

/** As it is seen from left to right, character by character. */
const seen = (text: string, direction: 'ltr' | 'rtl'): string => {
  const levels = levelsOf(text, direction)
  const shown = Array.from(text).map((char, at) => ((levels[at] ?? 0) % 2 === 1 ? mirrored(char) : char))
  return visualOrder(levels)
    .map((at) => shown[at])
    .join('')
}

// אבג stand for letters from right to left; what is seen is written here from left to right, in order.
const lines: [text: string, direction: 'ltr' | 'rtl', seen: string][] = [
  ['abc def', 'ltr', 'abc def'],
  ['אבג', 'rtl', 'גבא'],
  ['abc אבג def', 'ltr', 'abc גבא def'],
  ['אבג abc דהו', 'rtl', 'והד abc גבא'],
  ['אבג דהו abc', 'ltr', 'והד גבא abc'],
  ['אבג 12.50 דהו', 'rtl', 'והד 12.50 גבא'],
  ['אבג (abc)', 'rtl', '(abc) גבא'],
  ['abc (אבג)', 'ltr', 'abc (גבא)'],
  ['אבג (דהו) abc', 'ltr', '(והד) גבא abc'],
  ['a(b)א', 'rtl', 'אa(b)'],
  ['אבג, abc!', 'rtl', '!abc ,גבא'],
  ['abc אבג.', 'ltr', 'abc גבא.'],
  ['אבג 50%', 'rtl', '50% גבא'],
  ['سلم ١٢٣', 'rtl', '١٢٣ ملس'],
  ['سلم 18:00', 'rtl', '18:00 ملس'],
  ['سلم 1-2', 'rtl', '2-1 ملس'],
  ['אבג 1-2', 'rtl', '1-2 גבא'],
  ['12 אבג', 'ltr', '12 גבא'],
  ['אבג-דהו', 'rtl', 'והד-גבא'],
]
for (const [text, direction, shown] of lines)
  test(`${text} (${direction}) is seen as it should`, () => assert.equal(seen(text, direction), shown))

test('text of one direction stays in its order', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      assert.deepEqual(levelsOf(text, 'ltr'), Array(text.length).fill(0))
    }),
  )
})

test('an order has every place once', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(4)), (levels) => {
      assert.deepEqual(
        visualOrder(levels).toSorted((one, other) => one - other),
        levels.map((_, at) => at),
      )
    }),
  )
})

const directions: [text: string, direction: 'ltr' | 'rtl'][] = [
  ['“Hello', 'ltr'],
  ['12 שלום abc', 'rtl'],
  ['«سلام', 'rtl'],
  ['12', 'rtl'],
]
for (const [text, direction] of directions)
  test(`${text} begins ${direction}`, () => assert.equal(directionOf(text, 'rtl'), direction))
