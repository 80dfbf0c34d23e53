import { type Direction, embeddingLevels, isRtl, mirrored, visualOrder } from './bidi.ts'
import { type FontRun, graphemesOf, type TextMeasurer, widthOf } from './text-measurer.ts'

/** Text of one font, style and direction at its position in the line. */
export interface PositionedRun extends FontRun {
  /** From the left edge of the column. */
  x: number
  rtl: boolean
}

export function levelsOf(runs: readonly FontRun[], base: Direction): number[] {
  const parts: { text: string; isolate: symbol | undefined; isolated: boolean }[] = []
  for (const { text, isolate } of runs) {
    const last = parts.at(-1)
    if (last && last.isolate === isolate) last.text += text
    else parts.push({ text, isolate, isolated: isolate !== undefined })
  }
  return embeddingLevels(parts, base)
}

/** The runs of one line, in reading order. */
export function positionRuns(
  fontRuns: readonly FontRun[],
  levels: readonly number[],
  align: Direction,
  width: number,
  measurer: TextMeasurer,
): PositionedRun[] {
  const leveled = mergeRuns(fontRuns, levels, measurer)
  const runs = leveled.map(({ run }) => run)
  let x = align === 'rtl' ? width - widthOf(runs) : 0
  for (const at of visualOrder(leveled.map(({ level }) => level))) {
    const run = runs[at] as PositionedRun
    run.x = x
    x += run.width
  }
  return runs
}

/** Neighbours of one style and level become one run: fewer operators, and kerned as a whole. */
function mergeRuns(
  fontRuns: readonly FontRun[],
  levels: readonly number[],
  measurer: TextMeasurer,
): { run: PositionedRun; level: number }[] {
  const merged: { run: PositionedRun; level: number }[] = []
  let at = 0
  for (const fontRun of fontRuns) {
    for (let end = 0; end < fontRun.text.length; ) {
      const start = end
      const level = levels[at + start] ?? 0
      while (end < fontRun.text.length && (levels[at + end] ?? 0) === level) end++
      const text = fontRun.text.slice(start, end)
      const last = merged.at(-1)
      if (last && last.level === level && isSameStyle(last.run, fontRun)) last.run.text += text
      else merged.push({ run: { ...fontRun, text, x: 0, rtl: level % 2 === 1 }, level })
    }
    at += fontRun.text.length
  }
  for (const { run } of merged) run.width = measurer.width(run.text, run)
  return merged
}

const isSameStyle = (one: FontRun, other: FontRun): boolean =>
  one.font === other.font && one.style === other.style && one.link === other.link

/** The characters in the order that fontkit needs: it reverses a text if its first character with a script is Arabic, Hebrew or similar. */
export function shapingOrder({ text, rtl }: PositionedRun): string {
  const shown = rtl ? mirrored(text) : text
  const first = Array.from(text).find((char) => !/\p{sc=Zyyy}|\p{sc=Zinh}/u.test(char))
  const reversedByFontkit = first !== undefined && (isRtl(first) || /\p{sc=Arabic}/u.test(first))
  return reversedByFontkit === rtl ? shown : graphemesOf(shown).reverse().join('')
}
