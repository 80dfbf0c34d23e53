import { setImmediate } from 'node:timers/promises'
import type { PreparedReport } from '../prepare.ts'
import { type Block, BlockBuilder } from './blocks.ts'
import { conversationBlocks, sectionBlocks } from './body.ts'
import { frontMatterBlocks } from './front-matter.ts'
import { type Page, paginate } from './paginate.ts'
import type { TextMeasurer } from './text-measurer.ts'
import { STYLES } from './theme.ts'

/**
 * The table of contents and every footer contain page numbers, so the whole layout is done before the first page is
 * drawn. It keeps the lines of text in memory, not the file.
 */
export async function layOutPages(report: PreparedReport, measurer: TextMeasurer): Promise<Page[]> {
  const builder = new BlockBuilder(report.labels.direction, measurer)
  const body = paginate(await bodyBlocks(report, builder)).filter((page) => page.length > 0)
  const bodyPageOf = new Map(
    body.flatMap((page, at) =>
      page.flatMap(({ block, isFirst }) =>
        isFirst && block.destination ? [[block.destination.anchor, at + 1] as const] : [],
      ),
    ),
  )
  const frontMatter = (length: number): Page[] => {
    const pageOf = (anchor: string): number => length + (bodyPageOf.get(anchor) ?? 0)
    return paginate(frontMatterBlocks(report, builder, pageOf, length + body.length))
  }
  // Page numbers have a fixed width, so the first pass already has the final number of pages.
  return [...frontMatter(frontMatter(1).length), ...body]
}

async function bodyBlocks(report: PreparedReport, builder: BlockBuilder): Promise<Block[]> {
  const body = report.introduction.map((text, at) => builder.text(text, STYLES.lead, at === 0 ? 0 : 9))
  for (const section of report.sections) {
    body.push(...sectionBlocks(section, report.labels, builder))
    // The layout of a long report takes a second: yield to other requests.
    await setImmediate()
  }
  return [...body, ...conversationBlocks(report, builder)]
}
