import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../test/support/properties.ts'
import { type Direction, directionOf, embeddingLevels, mirrored, visualOrder } from './bidi.ts'

const levelsOf = (text: string, direction: Direction): number[] =>
  embeddingLevels([{ text, isolated: false }], direction)

/** Characters from left to right. */
const visual = (text: string, direction: Direction): string => {
  const levels = levelsOf(text, direction)
  const shown = text.split('').map((char, at) => ((levels[at] ?? 0) % 2 === 1 ? mirrored(char) : char))
  return visualOrder(levels)
    .map((at) => shown[at])
    .join('')
}

const lines: [text: string, direction: Direction, visual: string][] = [
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
  test(`shows ${text} (${direction}) as ${shown} from left to right`, () =>
    assert.equal(visual(text, direction), shown))

const astral: [text: string, levels: number[]][] = [
  ['אב 😀 גד', [1, 1, 1, 1, 1, 1, 1, 1]],
  ['a \u{1ee00} b', [0, 0, 1, 1, 0, 0]],
  ['א \u{1d7ce}', [1, 1, 2, 2]],
]
for (const [text, levels] of astral)
  test(`uses the bidi class of characters beyond the BMP in ${text}`, () =>
    assert.deepEqual(levelsOf(text, 'ltr'), levels))

test('an isolated part does not affect its surroundings', () => {
  const parts = [
    { text: 'א', isolated: true },
    { text: ', 7', isolated: false },
  ]
  assert.deepEqual(embeddingLevels(parts, 'ltr'), [1, 0, 0, 0])
})

test('keeps the order of text of one direction', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      assert.deepEqual(levelsOf(text, 'ltr'), Array(text.length).fill(0))
    }),
  )
})

test('the visual order contains every position once', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(4)), (levels) => {
      assert.deepEqual(
        visualOrder(levels).toSorted((one, other) => one - other),
        levels.map((_, at) => at),
      )
    }),
  )
})

const directions: [text: string, direction: Direction][] = [
  ['“Hello', 'ltr'],
  ['12 שלום abc', 'rtl'],
  ['«سلام', 'rtl'],
  ['12', 'rtl'],
]
for (const [text, direction] of directions)
  test(`${text} has the direction ${direction}`, () => assert.equal(directionOf(text, 'rtl'), direction))
