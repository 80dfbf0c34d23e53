import { setImmediate } from 'node:timers/promises'
import type { PreparedReport } from '../prepare.ts'
import type { Block, BlockBuilder } from './blocks.ts'
import { type Fit, heightOf, type Page, paginate, UNCHANGED } from './paginate.ts'
import type { PositionedRun } from './position-runs.ts'
import { conversationBlocks, openingBlocks, sectionBlocks, sourceBlocks } from './report-blocks.ts'
import { PAGE, STYLES } from './theme.ts'

/** A page with less than this share of its height used looks empty. */
const MIN_USED = 0.5
/** Each with its cost: how much a reader notices it. */
const SPACINGS = [
  [1, 0],
  [0.9, 1],
  [1.15, 1],
  [0.8, 3],
  [1.3, 3],
  [0.7, 6],
  [1.5, 6],
] as const
const EXTRA_HEIGHTS = [
  [0, 0],
  [28, 1],
  ...Array.from({ length: 16 }, (_, step) => [-20 * (step + 1), step + 1] as const),
] as const
/** From the least noticeable change to the most noticeable one. */
const FITS: readonly Fit[] = SPACINGS.flatMap(([spacing, cost]) =>
  EXTRA_HEIGHTS.map(([extraHeight, other]) => ({ spacing, extraHeight, cost: cost + other })),
).sort((a, b) => a.cost - b.cost)

/** Lays out everything before the first page is drawn, because the themes and the footers show page numbers. */
export async function layOutPages(report: PreparedReport, builder: BlockBuilder): Promise<Page[]> {
  const body = await bodyBlocks(report, builder)
  const draft = [...openingBlocks(report, builder, () => 0, 0), ...body]
  const fit = await bestFit(draft)
  // Page numbers have a fixed width, so the first pass already has the final number of pages.
  const pages = paginate(draft, fit)
  const pageOf = pagesByAnchor(pages)
  const opening = openingBlocks(report, builder, (anchor) => pageOf.get(anchor) ?? 0, pages.length)
  return paginate([...opening, ...body], fit)
}

/**
 * The least noticeable change after which no page is mostly empty: less space between blocks, so that the text of the last page fits on
 * those before it, or shorter pages, so that the last one gets more.
 */
async function bestFit(blocks: readonly Block[]): Promise<Fit> {
  let best = { fit: UNCHANGED, used: 0 }
  for (const fit of FITS) {
    const pages = paginate(blocks, fit)
    const used = pages.length === 1 ? 1 : Math.min(...pages.map(usedShare))
    if (used >= MIN_USED) return fit
    if (used > best.used) best = { fit, used }
    await setImmediate()
  }
  return best.fit
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
