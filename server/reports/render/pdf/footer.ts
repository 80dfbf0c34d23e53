import type { PreparedReport } from '../prepare.ts'
import { directionOfSpans, setLines } from './lines.ts'
import type { Run } from './runs.ts'
import { COLUMN, STYLES } from './theme.ts'
import type { Typesetter } from './typesetter.ts'

const NUMBER_ROOM = 70

/** The report's title, as much of it as fits on a line, and "3 / 12" at the far end. */
export function footerOf(
  { title, words }: PreparedReport,
  page: number,
  pages: number,
  setter: Typesetter,
): Run[] {
  const rtl = words.direction === 'rtl'
  // A line of the title has far fewer characters than this; the rest need not be set on every page.
  const spans = [{ text: title.slice(0, 200), style: STYLES.footer }]
  const sides = { base: directionOfSpans(spans, words.direction), align: words.direction }
  const [line] = setLines(spans, COLUMN - NUMBER_ROOM, sides, setter)
  const [number] = setter.pieces({ text: `${page} / ${pages}`, style: STYLES.footer })
  const runs = page === 1 ? [] : (line?.runs ?? [])
  return [
    ...runs.map((run) => ({ ...run, x: run.x + (rtl ? NUMBER_ROOM : 0) })),
    ...(number ? [{ ...number, x: rtl ? 0 : COLUMN - number.width, rtl: false }] : []),
  ]
}
