import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelsFor } from '../labels.ts'
import { prepare } from '../prepare.ts'
import { newMeasurer } from '../testing/measurer.ts'
import { sampleReport } from '../testing/sample.ts'
import { BlockBuilder } from './blocks.ts'
import { layOutPages } from './layout.ts'
import { heightOf } from './paginate.ts'
import { PAGE } from './theme.ts'

const HEIGHT = PAGE.height - PAGE.top - PAGE.bottom

test('fills every page at least to half, whatever the length of the report', async () => {
  const { sections, conversations } = sampleReport()
  const measurer = newMeasurer()
  for (let length = 1; length <= 24; length++)
    for (const listed of [0, 5]) {
      const some = Array.from({ length: Math.ceil(length / 4) }, (_, at) => ({
        ...sections[at % sections.length],
        heading: `Theme ${at}`,
        paragraphs: (sections[at % sections.length]?.paragraphs ?? []).slice(0, 1 + (length % 3)),
        quotations: (sections[at % sections.length]?.quotations ?? []).slice(0, 1 + (length % 5)),
      }))
      const report = prepare(sampleReport({ sections: some, conversations: conversations.slice(0, listed) }))
      const pages = await layOutPages(report, new BlockBuilder(labelsFor('de'), measurer))
      for (const [at, page] of pages.entries()) {
        const last = page.at(-1)
        assert.ok(last)
        const used = (last.y + heightOf(last.lines) - PAGE.top) / HEIGHT
        assert.ok(
          pages.length === 1 || used >= 0.5,
          `page ${at + 1} of ${pages.length}, length ${length}, ${listed} conversations: ${used}`,
        )
        assert.ok(last.y + heightOf(last.lines) <= PAGE.height - PAGE.bottom + 28.01)
      }
    }
})
