import type { Block } from './blocks.ts'
import type { Line } from './break-lines.ts'
import { PAGE } from './theme.ts'

/** The part of a block that is on one page. */
export interface Fragment {
  block: Block
  lines: Line[]
  /** The top of the first line. */
  y: number
  isFirst: boolean
  isLast: boolean
}
export type Page = Fragment[]

const BOTTOM = PAGE.height - PAGE.bottom
/** Longer blocks are divided even with `keepTogether`, because pages would end half empty. */
const MAX_LINES_KEPT_TOGETHER = 8
/** The default minimum number of lines at the bottom (orphans) and at the top (widows) of a page. */
const MIN_LINES = 2
/** A heading with more lines than this is divided like any text. */
const MAX_HEADING_LINES = 20

/** Changes of the layout that spread a text over its pages. */
export interface Fit {
  /** Points that pages are longer, or shorter if it is negative. */
  extraHeight: number
  /** The factor of the space before blocks. */
  spacing: number
}

export const UNCHANGED: Fit = { extraHeight: 0, spacing: 1 }

export function paginate(blocks: readonly Block[], { extraHeight, spacing }: Fit = UNCHANGED): Page[] {
  const bottom = BOTTOM + extraHeight
  const pages: Page[] = [[]]
  let y = PAGE.top
  const startPage = (): void => {
    pages.push([])
    y = PAGE.top
  }
  for (const [at, block] of blocks.entries()) {
    if (y > PAGE.top && y + minimumHeight(blocks, at, spacing) > bottom) startPage()
    if (y > PAGE.top || at === 0) y += spacing * block.spaceBefore
    for (let rest = block.lines; rest.length > 0; ) {
      const lines = rest.slice(0, lineCountFor(rest, bottom - y, block.widows ?? MIN_LINES))
      const isFirst = rest === block.lines
      rest = rest.slice(lines.length)
      pages.at(-1)?.push({ block, lines, y, isFirst, isLast: rest.length === 0 })
      y += heightOf(lines)
      if (rest.length > 0) startPage()
    }
  }
  return pages
}

/** The space that a block needs to start on a page: its first lines and, after a heading, those of the next block. */
function minimumHeight(blocks: readonly Block[], at: number, spacing: number): number {
  const block = blocks[at]
  if (!block) return 0
  const { lines, spaceBefore, keepWithNext, widows = MIN_LINES } = block
  const isUndivided =
    keepWithNext || lines.length <= (block.keepTogether ? MAX_LINES_KEPT_TOGETHER : MIN_LINES + widows - 1)
  const first = lines.slice(0, isUndivided ? MAX_HEADING_LINES : MIN_LINES)
  const next = keepWithNext ? minimumHeight(blocks, at + 1, spacing) : 0
  return spacing * spaceBefore + heightOf(first) + next
}

/** How many of the lines to put on this page: all that fit, minus those that the next page needs. At least one. */
function lineCountFor(lines: readonly Line[], height: number, widows: number): number {
  let fits = 0
  for (let used = 0; fits < lines.length; fits++) {
    used += lines[fits]?.leading ?? 0
    if (used > height) break
  }
  if (fits === lines.length) return fits
  const beforeWidows = Math.min(fits, lines.length - widows)
  return Math.max(1, beforeWidows >= MIN_LINES ? beforeWidows : fits)
}

export const heightOf = (lines: readonly Line[]): number =>
  lines.reduce((sum, { leading }) => sum + leading, 0)
