import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../test/support/properties.ts'
import { newSetter } from '../testing/setter.ts'
import { balancedWidth, setLines } from './lines.ts'
import { shapingOrder } from './runs.ts'
import { STYLES } from './theme.ts'

const LTR = { base: 'ltr', align: 'ltr' } as const
const set = (text: string, width: number, setter = newSetter()): string[] =>
  setLines([{ text, style: STYLES.body }], width, LTR, setter).map(({ runs }) =>
    runs.map(({ text }) => text).join(''),
  )

test('no line is wider than its column, and together they are the text', () => {
  const words = fc.constantFrom(
    'a',
    'Wasser',
    'Donau-Dampf',
    'ein—zwei',
    'Ж'.repeat(90),
    'سلام',
    'x'.repeat(400),
    '(12:30)',
  )
  fc.assert(
    fc.property(
      fc.array(words, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 60, max: 430 }),
      (list, width) => {
        const text = list.join(' ')
        const lines = setLines([{ text, style: STYLES.body }], width, LTR, newSetter())
        for (const { runs } of lines)
          for (const run of runs) assert.ok(run.x >= -0.01 && run.x + run.width <= width + 0.01, run.text)
        const shown = lines.map(({ runs }) => runs.map((run) => run.text).join('')).join('')
        assert.equal(shown.replaceAll(' ', ''), text.replaceAll(' ', ''))
      },
    ),
    { numRuns: 60 },
  )
})

const breaks: [what: string, text: string, lines: string[]][] = [
  ['at spaces', 'aaaa bbbb cccc', ['aaaa bbbb', 'cccc']],
  ['after a hyphen between letters', 'aaaa bbbb-cccc', ['aaaa bbbb-', 'cccc']],
  ['not at a no-break space', 'aaaa bbbb\u00a0cccc', ['aaaa', 'bbbb\u00a0cccc']],
  ['not within a number', 'aaaa 2026-2027', ['aaaa', '2026-2027']],
]
for (const [what, text, lines] of breaks)
  test(`lines break ${what}`, () => assert.deepEqual(set(text, 60), lines))

const gaps: [text: string, shown: string][] = [
  ['nothing missing', 'nothing missing'],
  ['well 🎉 done', 'well [1] done'],
  ['我们 都、很喜欢。 Yes', '[9] Yes'],
  ['👩\u200d🌾', '[1]'],
  ['सा 🎉', '[3]'],
]
for (const [text, shown] of gaps) {
  test(`${text} is shown as ${shown}`, () => {
    const setter = newSetter()
    assert.deepEqual(set(text, 430, setter), [shown])
    assert.equal(setter.lacking, text !== shown)
  })
}

test('a balanced title takes no more lines, and its last is no longer alone', () => {
  const spans = [{ text: 'Was der Lindenplatz im Norden der Stadt werden kann', style: STYLES.title }]
  const setter = newSetter()
  const width = balancedWidth(spans, 430, setter)
  const wide = setLines(spans, 430, LTR, setter)
  const balanced = setLines(spans, width, LTR, setter)
  assert.equal(balanced.length, wide.length)
  assert.ok((balanced.at(-1)?.runs[0]?.width ?? 0) > (wide.at(-1)?.runs[0]?.width ?? 0))
})

const isolate = (text: string) => ({ text, style: STYLES.body, isolate: Symbol('name') })
test('names of another direction do not change places', () => {
  const spans = [
    isolate('سلمى'),
    { text: ', ', style: STYLES.body },
    isolate('مقهى'),
    { text: ', 7', style: STYLES.body },
  ]
  const [line] = setLines(spans, 430, LTR, newSetter())
  const order = line?.runs.toSorted((one, other) => one.x - other.x).map(({ text }) => text)
  assert.deepEqual(order, ['سلمى', ', ', 'مقهى', ', 7'])
  assert.deepEqual(
    line?.runs.map(({ rtl }) => rtl),
    [true, false, true, false],
  )
})

const orders: [text: string, rtl: boolean, given: string][] = [
  ['abc', false, 'abc'],
  ['سلام (x', true, 'سلام )x'],
  ['۱۲۳', false, '۳۲۱'],
  ['(1', true, '1)'],
]
for (const [text, rtl, given] of orders) {
  test(`the shaper gets ${text} so that it comes out ${rtl ? 'rtl' : 'ltr'}`, () => {
    const run = { text, rtl, x: 0, width: 0, font: 'sans', style: STYLES.body } as const
    assert.equal(shapingOrder(run), given)
  })
}
