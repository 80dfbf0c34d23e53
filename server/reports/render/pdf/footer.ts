import type { PreparedReport } from '../prepare.ts'
import { breakLines, directionOfSpans } from './break-lines.ts'
import type { PositionedRun } from './position-runs.ts'
import type { TextMeasurer } from './text-measurer.ts'
import { COLUMN, STYLES } from './theme.ts'

const PAGE_NUMBER_WIDTH = 70

/** The first line of the report's title (not on page 1), and "3 / 12" at the other side. */
export function footerRuns(
  { title, labels }: PreparedReport,
  page: number,
  pageCount: number,
  measurer: TextMeasurer,
): PositionedRun[] {
  const rtl = labels.direction === 'rtl'
  // More than one line holds: a long title is not measured whole for every page.
  const spans = [{ text: title.slice(0, 200), style: STYLES.footer }]
  const directions = { base: directionOfSpans(spans, labels.direction), align: labels.direction }
  const [line] = breakLines(spans, COLUMN - PAGE_NUMBER_WIDTH, directions, measurer)
  const [number] = measurer.fontRuns({ text: `${page} / ${pageCount}`, style: STYLES.footer })
  const titleRuns = page === 1 ? [] : (line?.runs ?? [])
  return [
    ...titleRuns.map((run) => ({ ...run, x: run.x + (rtl ? PAGE_NUMBER_WIDTH : 0) })),
    ...(number ? [{ ...number, x: rtl ? 0 : COLUMN - number.width, rtl: false }] : []),
  ]
}
