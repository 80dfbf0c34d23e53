import type { Block } from './blocks.ts'
import type { Line } from './lines.ts'
import { PAGE } from './theme.ts'

/** What one page shows of a block. */
export interface Fragment {
  block: Block
  lines: Line[]
  /** Of the top of its first line. */
  y: number
  isFirst: boolean
  isLast: boolean
}

export type Page = Fragment[]

const BOTTOM = PAGE.height - PAGE.bottom
/** A quotation of up to this many lines is not divided; longer ones are, or pages would end half empty. */
const UNDIVIDED = 8
/** No fewer lines of a paragraph stand alone at the end of a page, or at the beginning of one. */
const TOGETHER = 2

/** Blocks on pages, so that no heading stands at the end of one and no line is left alone. */
export function paginate(blocks: readonly Block[]): Page[] {
  const pages: Page[] = [[]]
  let y = PAGE.top
  const nextPage = (): void => {
    pages.push([])
    y = PAGE.top
  }
  for (const [at, block] of blocks.entries()) {
    if (y > PAGE.top && y + leastHeight(blocks, at) > BOTTOM) nextPage()
    if (y > PAGE.top || at === 0) y += block.before
    for (let rest = block.lines; rest.length > 0; ) {
      const lines = rest.slice(0, share(rest, BOTTOM - y, block.tail ?? TOGETHER))
      const isFirst = rest === block.lines
      rest = rest.slice(lines.length)
      pages.at(-1)?.push({ block, lines, y, isFirst, isLast: rest.length === 0 })
      y += heightOf(lines)
      if (rest.length > 0) nextPage()
    }
  }
  return pages
}

/** What must fit on the page for a block to begin there: its first lines, and after a heading those of what follows. */
function leastHeight(blocks: readonly Block[], at: number): number {
  const block = blocks[at]
  if (!block) return 0
  const { lines, before, keepWithNext, tail = TOGETHER } = block
  const whole = keepWithNext || lines.length <= (block.whole ? UNDIVIDED : TOGETHER + tail - 1)
  const least = whole ? lines.slice(0, MOST_WHOLE) : lines.slice(0, TOGETHER)
  return before + heightOf(least) + (keepWithNext ? leastHeight(blocks, at + 1) : 0)
}

/** A heading can be longer than a page, if somebody means it badly; it is then divided like any text. */
const MOST_WHOLE = 20

/** How many of the lines the page takes: all, or as many as leave the tail in one piece, and one at the least. */
function share(lines: readonly Line[], room: number, tail: number): number {
  let fits = 0
  for (let height = 0; fits < lines.length; fits++) {
    height += lines[fits]?.leading ?? 0
    if (height > room) break
  }
  if (fits === lines.length) return fits
  const leavingTail = Math.min(fits, lines.length - tail)
  return Math.max(1, leavingTail >= TOGETHER ? leavingTail : fits)
}

export const heightOf = (lines: readonly Line[]): number =>
  lines.reduce((sum, { leading }) => sum + leading, 0)
