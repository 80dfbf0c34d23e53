import { setImmediate } from 'node:timers/promises'
import type { PreparedReport } from '../prepare.ts'
import type { Block, BlockBuilder } from './blocks.ts'
import { heightOf, type Page, paginate } from './paginate.ts'
import type { PositionedRun } from './position-runs.ts'
import { conversationBlocks, openingBlocks, sectionBlocks, sourceBlocks } from './report-blocks.ts'
import { PAGE, STYLES } from './theme.ts'

/** A last page with less than this share of its height used looks empty. */
const MIN_LAST_PAGE = 0.25
/** Points that pages are made longer or shorter by, to fill the last one. */
const ADJUSTMENTS = [0, 28, -40, -80, -120, -160]

/** Lays out everything before the first page is drawn, because the themes and the footers show page numbers. */
export async function layOutPages(report: PreparedReport, builder: BlockBuilder): Promise<Page[]> {
  const body = await bodyBlocks(report, builder)
  const draft = [...openingBlocks(report, builder, () => 0, 0), ...body]
  const adjustment = bestAdjustment(draft)
  // Page numbers have a fixed width, so the first pass already has the final number of pages.
  const pages = paginate(draft, adjustment)
  const pageOf = pagesByAnchor(pages)
  const opening = openingBlocks(report, builder, (anchor) => pageOf.get(anchor) ?? 0, pages.length)
  return paginate([...opening, ...body], adjustment)
}

/** The smallest change of the pages' height after which the last one is not mostly empty. */
function bestAdjustment(blocks: readonly Block[]): number {
  const filled = (adjustment: number): number => {
    const pages = paginate(blocks, adjustment)
    return pages.length === 1 ? 1 : usedShare(pages.at(-1) ?? [])
  }
  return (
    ADJUSTMENTS.find((adjustment) => filled(adjustment) >= MIN_LAST_PAGE) ??
    ADJUSTMENTS.reduce((best, one) => (filled(one) > filled(best) ? one : best))
  )
}

function usedShare(page: Page): number {
  const last = page.at(-1)
  return last ? (last.y + heightOf(last.lines) - PAGE.top) / (PAGE.height - PAGE.top - PAGE.bottom) : 0
}

const pagesByAnchor = (pages: readonly Page[]): Map<string, number> =>
  new Map(
    pages.flatMap((page, at) =>
      page.flatMap(({ block, isFirst }) =>
        isFirst && block.destination ? [[block.destination.anchor, at + 1] as const] : [],
      ),
    ),
  )

async function bodyBlocks(report: PreparedReport, builder: BlockBuilder): Promise<Block[]> {
  const body: Block[] = []
  for (const section of report.sections) {
    body.push(...sectionBlocks(section, builder))
    // The layout of a long report takes a second: yield to other requests.
    await setImmediate()
  }
  return [...body, ...sourceBlocks(report, builder), ...conversationBlocks(report, builder)]
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
