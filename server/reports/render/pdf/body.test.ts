import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../test/support/properties.ts'
import { prepare } from '../prepare.ts'
import { sampleReport, sourceOf } from '../testing/sample.ts'
import { newSetter } from '../testing/setter.ts'
import { Blocks } from './blocks.ts'
import { sectionOf } from './body.ts'
import { paginate } from './paginate.ts'
import { STYLES } from './theme.ts'

test('whom a quotation is from stands under at least two lines of it, wherever its page ends', () => {
  const blocks = new Blocks('ltr', newSetter())
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1500 }), (words) => {
      const quotation = { text: 'word '.repeat(words), source: sourceOf(1, 1) }
      const report = prepare(
        sampleReport({ sections: [{ heading: 'h', paragraphs: [], quotations: [quotation] }] }),
      )
      const pages = paginate(report.sections.flatMap((section) => sectionOf(section, report.words, blocks)))
      const styles =
        pages
          .at(-1)
          ?.at(-1)
          ?.lines.map(({ runs }) => runs[0]?.style) ?? []
      assert.equal(styles.at(-1), STYLES.attribution)
      const said = styles.filter((style) => style === STYLES.quotation).length
      assert.ok(said >= 2 || pages.flat().length === 2, `${said} lines`)
    }),
    { numRuns: 60 },
  )
})
