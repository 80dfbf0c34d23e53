import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../test/support/properties.ts'
import { labelsFor } from '../labels.ts'
import { prepare } from '../prepare.ts'
import { newMeasurer } from '../testing/measurer.ts'
import { sampleReport, sourceOf } from '../testing/sample.ts'
import { type Block, BlockBuilder } from './blocks.ts'
import { heightOf, paginate } from './paginate.ts'
import { sectionBlocks } from './report-blocks.ts'
import { PAGE, STYLES } from './theme.ts'

const block = (lines: number, more: Partial<Block> = {}): Block => ({
  lines: Array.from({ length: lines }, () => ({ runs: [], leading: 15.5 })),
  spaceBefore: 8,
  indent: 0,
  align: 'ltr',
  roles: ['P'],
  ...more,
})
const heading = fc
  .integer({ min: 1, max: 3 })
  .map((lines) => block(lines, { spaceBefore: 30, keepWithNext: true }))
const paragraph = fc.integer({ min: 1, max: 130 }).map((lines) => block(lines))
const quotation = fc
  .integer({ min: 2, max: 60 })
  .map((lines) => block(lines, { keepTogether: true, widows: 3, spaceBefore: 13 }))
const blocks = fc
  .array(fc.tuple(heading, fc.array(fc.oneof(paragraph, quotation), { minLength: 1, maxLength: 6 })), {
    maxLength: 8,
  })
  .map((sections) => sections.flatMap(([first, rest]) => [first, ...rest]))

const fits = fc.record({
  extraHeight: fc.integer({ min: -320, max: 28 }),
  spacing: fc.constantFrom(0.7, 1, 1.5),
})

test('puts every line on a page once, in order and within the margins, whatever the fit', () => {
  fc.assert(
    fc.property(blocks, fits, (given, fit) => {
      const fragments = paginate(given, fit).flat()
      assert.deepEqual(
        fragments.flatMap(({ lines }) => lines),
        given.flatMap(({ lines }) => lines),
      )
      for (const { y, lines } of fragments)
        assert.ok(y >= PAGE.top && y + heightOf(lines) <= PAGE.height - PAGE.bottom + fit.extraHeight + 0.01)
    }),
  )
})

test('never ends a page with a heading, and never divides one', () => {
  fc.assert(
    fc.property(blocks, (given) => {
      for (const page of paginate(given)) {
        assert.ok(!page.at(-1)?.block.keepWithNext)
        for (const { block, isFirst, isLast } of page) if (block.keepWithNext) assert.ok(isFirst && isLast)
      }
    }),
  )
})

test('never leaves one line of a paragraph alone, or an attribution without its quotation', () => {
  fc.assert(
    fc.property(blocks, (given) => {
      for (const { block, lines, isLast } of paginate(given).flat()) {
        if (lines.length === block.lines.length) continue
        const min = isLast ? (block.widows ?? 2) : 2
        assert.ok(lines.length >= min, `${lines.length} of ${block.lines.length}`)
      }
    }),
  )
})

test('does not divide a short quotation', () => {
  fc.assert(
    fc.property(blocks, (given) => {
      for (const { block, lines } of paginate(given).flat())
        if (block.keepTogether && block.lines.length <= 8) assert.equal(lines.length, block.lines.length)
    }),
  )
})

test('divides a heading of a thousand lines like any text', () => {
  const pages = paginate([block(1000, { keepWithNext: true }), block(1)])
  assert.equal(pages.flatMap((page) => page.flatMap(({ lines }) => lines)).length, 1001)
})

test('keeps at least two lines of a quotation with its attribution on the last page', () => {
  const builder = new BlockBuilder(labelsFor('en'), newMeasurer())
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1500 }), (words) => {
      const quotation = { text: 'word '.repeat(words), source: sourceOf(1, 1) }
      const report = prepare(
        sampleReport({ sections: [{ heading: 'h', paragraphs: [], quotations: [quotation] }] }),
      )
      const pages = paginate(report.sections.flatMap((section) => sectionBlocks(section, builder)))
      const styles = (pages.at(-1)?.at(-1)?.lines ?? []).map(({ runs }) => runs[0]?.style)
      assert.equal(styles.at(-1), STYLES.attribution)
      const quoted = styles.filter((style) => style === STYLES.quotation).length
      assert.ok(quoted >= 2 || pages.flat().length === 3, `${quoted} lines`)
    }),
    { numRuns: 60 },
  )
})
