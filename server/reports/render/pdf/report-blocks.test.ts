import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../test/support/properties.ts'
import { labelsFor } from '../labels.ts'
import { prepare } from '../prepare.ts'
import { newMeasurer } from '../testing/measurer.ts'
import { sampleReport, sourceOf } from '../testing/sample.ts'
import { BlockBuilder } from './blocks.ts'
import { paginate } from './paginate.ts'
import { sectionBlocks } from './report-blocks.ts'
import { STYLES } from './theme.ts'

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
      assert.ok(quoted >= 2 || pages.flat().length === 2, `${quoted} lines`)
    }),
    { numRuns: 60 },
  )
})
