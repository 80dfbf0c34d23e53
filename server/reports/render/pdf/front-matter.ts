import type { Labels } from '../labels.ts'
import { CONVERSATIONS_ANCHOR, type PreparedReport } from '../prepare.ts'
import type { Direction } from './bidi.ts'
import type { Block, BlockBuilder } from './blocks.ts'
import { offsetLines } from './break-lines.ts'
import type { PositionedRun } from './position-runs.ts'
import { COLUMN, STYLES } from './theme.ts'

const NOTICE_INDENT = 14
/** Reserved for the page number of an entry, so that headings never overlap it. */
const PAGE_NUMBER_WIDTH = 44

/** The title, the notices and the table of contents. */
export function frontMatterBlocks(
  report: PreparedReport,
  builder: BlockBuilder,
  pageOf: (anchor: string) => number,
  pageCount: number,
): Block[] {
  const { labels } = report
  const atReportSide = { align: labels.direction }
  const entries = [
    ...report.sections.map(({ anchor, heading }) => ({ anchor, title: heading })),
    ...(report.conversations.length > 0
      ? [{ anchor: CONVERSATIONS_ANCHOR, title: labels.conversations }]
      : []),
  ]
  return [
    ...(report.project ? [builder.text(report.project, STYLES.project, 40)] : []),
    builder.title(report.title, STYLES.title, 8),
    builder.text(report.facts, STYLES.facts, 12, atReportSide),
    ...(report.leftOut === null ? [] : [builder.text(report.leftOut, STYLES.facts, 4, atReportSide)]),
    ...noticeBlocks(report, builder),
    ...(entries.length > 0 ? [contentsHeading(labels, builder)] : []),
    ...entries.map(({ anchor, title }) => {
      const page = pageOf(anchor)
      const link = { href: `#${anchor}`, description: `${title}, ${labels.page(page, pageCount)}` }
      return contentsEntry(title, page, link, builder, labels.direction)
    }),
  ]
}

const contentsHeading = (labels: Labels, builder: BlockBuilder): Block => ({
  ...builder.text(labels.contents, STYLES.contents, 44, { align: labels.direction }),
  roles: ['H2'],
  keepWithNext: true,
  destination: { anchor: 'contents', title: labels.contents },
})

function noticeBlocks({ labels, notice }: PreparedReport, builder: BlockBuilder): Block[] {
  const noticeBlock = (text: string, spaceBefore: number): Block => ({
    ...builder.text(text, STYLES.notice, spaceBefore, { indent: NOTICE_INDENT }),
    bar: 'notice',
  })
  return [
    ...(notice === null ? [] : [noticeBlock(notice, 26)]),
    ...(builder.measurer.hasMissingCharacters ? [noticeBlock(labels.notInFontNotice, 10)] : []),
  ]
}

function contentsEntry(
  title: string,
  page: number,
  link: NonNullable<PositionedRun['link']>,
  builder: BlockBuilder,
  align: Direction,
): Block {
  const rtl = align === 'rtl'
  const column = builder.lines([{ text: title, style: STYLES.entry, link }], PAGE_NUMBER_WIDTH, align)
  const lines = offsetLines(column, rtl ? PAGE_NUMBER_WIDTH : 0)
  const last = lines.at(-1) ?? { runs: [], leading: STYLES.entry.leading }
  const number = pageNumberRun(page, link, builder, rtl)
  const edges = last.runs.map((run) => (rtl ? run.x : run.x + run.width))
  const textEnd = rtl ? Math.min(COLUMN, ...edges) : Math.max(0, ...edges)
  last.runs.push(number)
  const [from, to] = rtl ? [number.x + number.width, textEnd] : [textEnd, number.x]
  return {
    lines,
    spaceBefore: 4,
    indent: 0,
    align,
    roles: ['TOCI'],
    group: 'TOC',
    widows: lines.length,
    leader: { line: last, from: from + 6, to: to - 6 },
  }
}

function pageNumberRun(
  page: number,
  link: NonNullable<PositionedRun['link']>,
  builder: BlockBuilder,
  rtl: boolean,
): PositionedRun {
  const [run] = builder.measurer.fontRuns({ text: String(page), style: STYLES.entry, link })
  if (!run) throw new Error('Every font has digits.')
  return { ...run, x: rtl ? 0 : COLUMN - run.width, rtl: false }
}
