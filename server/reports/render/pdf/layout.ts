import { setImmediate } from 'node:timers/promises'
import type { PreparedReport } from '../prepare.ts'
import type { Block, BlockBuilder } from './blocks.ts'
import { type Page, paginate } from './paginate.ts'
import type { PositionedRun } from './position-runs.ts'
import { conversationBlocks, frontMatterBlocks, sectionBlocks } from './report-blocks.ts'
import { STYLES } from './theme.ts'

/** Lays out everything before the first page is drawn, because the contents and the footers show page numbers. */
export async function layOutPages(report: PreparedReport, builder: BlockBuilder): Promise<Page[]> {
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
    body.push(...sectionBlocks(section, builder))
    // The layout of a long report takes a second: yield to other requests.
    await setImmediate()
  }
  return [...body, ...conversationBlocks(report, builder)]
}

const FOOTER_NUMBER_WIDTH = 70

/** The first line of the report's title (not on page 1), and "3 / 12" at the other side. */
export function footerRuns(
  title: string,
  page: number,
  pages: number,
  builder: BlockBuilder,
): PositionedRun[] {
  const style = STYLES.footer
  // More than one line holds: a long title is not measured whole for every page.
  const spans = [{ text: title.slice(0, 200), style }]
  const [line] = page === 1 ? [] : builder.linesBefore(FOOTER_NUMBER_WIDTH, spans, builder.labels.direction)
  return [...(line?.runs ?? []), builder.pageNumber({ text: `${page} / ${pages}`, style })]
}
