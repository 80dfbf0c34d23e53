import { CONVERSATIONS_ANCHOR, type PreparedReport } from '../prepare.ts'
import type { Words } from '../words.ts'
import type { Block, Blocks } from './blocks.ts'
import { shifted } from './lines.ts'
import type { Direction, Run } from './runs.ts'
import { COLUMN, STYLES } from './theme.ts'

const NOTICE_INSET = 14
/** Room for the number of a page, at the far end of an entry: headings never run into it. */
const NUMBER_ROOM = 44

/** The first page: what this is, and what is in it. */
export function frontOf(
  report: PreparedReport,
  blocks: Blocks,
  pageOf: (anchor: string) => number,
  total: number,
): Block[] {
  const { words } = report
  const entries = [
    ...report.sections.map(({ anchor, heading }) => ({ anchor, title: heading })),
    ...(report.conversations.length > 0
      ? [{ anchor: CONVERSATIONS_ANCHOR, title: words.conversations }]
      : []),
  ]
  return [
    ...(report.project ? [blocks.text(report.project, STYLES.project, 40)] : []),
    blocks.title(report.title, STYLES.title, 8),
    blocks.text(report.facts, STYLES.facts, 12, { align: words.direction }),
    ...(report.leftOut === null
      ? []
      : [blocks.text(report.leftOut, STYLES.facts, 4, { align: words.direction })]),
    ...noticesOf(report, blocks),
    ...(entries.length > 0 ? [contentsHeading(words, blocks)] : []),
    ...entries.map(({ anchor, title }) => {
      const page = pageOf(anchor)
      return entry(title, anchor, page, `${title}, ${words.page(page, total)}`, blocks, words.direction)
    }),
  ]
}

const contentsHeading = (words: Words, blocks: Blocks): Block => ({
  ...blocks.text(words.contents, STYLES.contents, 44, { align: words.direction }),
  roles: ['H2'],
  keepWithNext: true,
  target: { anchor: 'contents', title: words.contents },
})

function noticesOf({ words, notice }: PreparedReport, blocks: Blocks): Block[] {
  const boxed = (text: string, before: number): Block => ({
    ...blocks.text(text, STYLES.notice, before, { inset: NOTICE_INSET }),
    bar: 'notice',
  })
  return [
    ...(notice === null ? [] : [boxed(notice, 26)]),
    ...(blocks.setter.lacking ? [boxed(words.notInFontNotice, 10)] : []),
  ]
}

function entry(
  title: string,
  anchor: string,
  page: number,
  description: string,
  blocks: Blocks,
  align: Direction,
): Block {
  const link = { href: `#${anchor}`, description }
  const rtl = align === 'rtl'
  // Set for a column without the numbers, which stand at its end: at the right, or from right to left at the left.
  const column = blocks.lines([{ text: title, style: STYLES.entry, link }], NUMBER_ROOM, align)
  const lines = shifted(column, rtl ? NUMBER_ROOM : 0)
  const last = lines.at(-1) ?? { runs: [], leading: STYLES.entry.leading }
  const number = numberRun(page, link, blocks, rtl)
  const edges = last.runs.map((run) => (rtl ? run.x : run.x + run.width))
  const inner = rtl ? Math.min(COLUMN, ...edges) : Math.max(0, ...edges)
  last.runs.push(number)
  const [from, to] = rtl ? [number.x + number.width, inner] : [inner, number.x]
  return {
    lines,
    before: 4,
    inset: 0,
    align,
    roles: ['TOCI'],
    group: 'TOC',
    tail: lines.length,
    leader: { line: last, from: from + 6, to: to - 6 },
  }
}

function numberRun(page: number, link: Run['link'], blocks: Blocks, rtl: boolean): Run {
  const [piece] = blocks.setter.pieces({ text: String(page), style: STYLES.entry, ...(link && { link }) })
  if (!piece) throw new Error('digits are in every font')
  return { ...piece, x: rtl ? 0 : COLUMN - piece.width, rtl: false }
}
