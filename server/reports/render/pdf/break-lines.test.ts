import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../test/support/properties.ts'
import { newMeasurer } from '../testing/measurer.ts'
import { balancedWidth, breakLines, type Line } from './break-lines.ts'
import { shapingOrder } from './position-runs.ts'
import { STYLES } from './theme.ts'

const LTR = { base: 'ltr', align: 'ltr' } as const
const linesOf = (text: string, width: number, measurer = newMeasurer()): string[] =>
  breakLines([{ text, style: STYLES.body }], width, LTR, measurer).map(textOf)
const textOf = ({ runs }: Line): string => runs.map(({ text }) => text).join('')

test('breaks text into lines that fit the column, without losing any of it', () => {
  const short = ['a', 'Wasser', 'Donau-Dampf', 'ein—zwei', 'سلام', '(12:30)']
  const words = fc.constantFrom(...short, 'Ж'.repeat(90), 'x'.repeat(400))
  fc.assert(
    fc.property(
      fc.array(words, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 60, max: 430 }),
      (list, width) => {
        const text = list.join(' ')
        const lines = breakLines([{ text, style: STYLES.body }], width, LTR, newMeasurer())
        for (const { runs } of lines)
          for (const run of runs) assert.ok(run.x >= -0.01 && run.x + run.width <= width + 0.01, run.text)
        const shown = lines.map(textOf).join('')
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
  ['after a slash in a URL', 'aaaa x.org/bbbb', ['aaaa x.org/', 'bbbb']],
  ['not before closing punctuation', 'aaaa (bbbb) !', ['aaaa', '(bbbb) !']],
]
for (const [what, text, lines] of breaks)
  test(`breaks lines ${what}`, () => assert.deepEqual(linesOf(text, 60), lines))

const gaps: [text: string, shown: string][] = [
  ['nothing missing', 'nothing missing'],
  ['well 🎉 done', 'well [1] done'],
  ['我们 都、很喜欢。 Yes', '[9] Yes'],
  ['👩\u200d🌾', '[1]'],
  ['सा 🎉', '[3]'],
]
for (const [text, shown] of gaps) {
  test(`shows ${text} as ${shown}`, () => {
    const measurer = newMeasurer()
    assert.deepEqual(linesOf(text, 430, measurer), [shown])
    assert.equal(measurer.hasMissingCharacters, text !== shown)
  })
}

test('balances a title without adding a line', () => {
  const spans = [{ text: 'Was der Lindenplatz im Norden der Stadt werden kann', style: STYLES.title }]
  const measurer = newMeasurer()
  const width = balancedWidth(spans, 430, measurer)
  const wide = breakLines(spans, 430, LTR, measurer)
  const balanced = breakLines(spans, width, LTR, measurer)
  assert.equal(balanced.length, wide.length)
  assert.ok((balanced.at(-1)?.runs[0]?.width ?? 0) > (wide.at(-1)?.runs[0]?.width ?? 0))
})

const isolate = (text: string) => ({ text, style: STYLES.body, isolate: Symbol('name') })
test('keeps the order of isolated names of another direction', () => {
  const spans = [
    isolate('سلمى'),
    { text: ', ', style: STYLES.body },
    isolate('مقهى'),
    { text: ', 7', style: STYLES.body },
  ]
  const [line] = breakLines(spans, 430, LTR, newMeasurer())
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
  test(`passes ${text} to the shaper as ${given} for ${rtl ? 'rtl' : 'ltr'}`, () => {
    const run = { text, rtl, x: 0, width: 0, font: 'sans', style: STYLES.body } as const
    assert.equal(shapingOrder(run), given)
  })
}
