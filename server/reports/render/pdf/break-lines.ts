import type { Direction } from './bidi.ts'
import { levelsOf, type PositionedRun, positionRuns } from './position-runs.ts'
import { type FontRun, graphemesOf, type Span, type TextMeasurer, type Word } from './text-measurer.ts'

export interface Line {
  /** In reading order, which is also the order of drawing and of the structure tree. */
  runs: PositionedRun[]
  leading: number
}

/** `base` is the paragraph direction, `align` the side where lines start. */
export function breakLines(
  spans: Span[],
  width: number,
  { base, align }: { base: Direction; align: Direction },
  measurer: TextMeasurer,
): Line[] {
  const lines = fillLines(measurer.words(spans), width, measurer)
  const levels = levelsOf(lines.flat(), base)
  let start = 0
  return lines.map((runs) => {
    const end = start + runs.reduce((sum, { text }) => sum + text.length, 0)
    const positioned = positionRuns(trimEnd(runs, measurer), levels.slice(start, end), align, width, measurer)
    start = end
    return { runs: positioned, leading: Math.max(0, ...runs.map(({ style }) => style.leading)) }
  })
}

/** The narrowest width with the same number of lines, so that the last line of a title is not a single word. */
export function balancedWidth(spans: Span[], width: number, measurer: TextMeasurer): number {
  const words = measurer.words(spans)
  const lines = fillLines(words, width, measurer).length
  let [narrow, wide] = [width / 2, width]
  while (wide - narrow > 2) {
    const middle = (narrow + wide) / 2
    if (fillLines(words, middle, measurer).length > lines) narrow = middle
    else wide = middle
  }
  return wide
}

/** Greedy line breaking. */
function fillLines(words: readonly Word[], width: number, measurer: TextMeasurer): FontRun[][] {
  const lines: FontRun[][] = []
  let room = 0
  for (const word of words.flatMap((word) => splitLongWord(word, width, measurer))) {
    const last = lines.at(-1)
    if (last && trimmedWidth(word, measurer) <= room) last.push(...word.runs)
    else {
      lines.push([...word.runs])
      room = width
    }
    room -= word.width
  }
  return lines
}

/** The space after the last word of a line can extend into the margin. */
function trimmedWidth({ runs, width }: Word, measurer: TextMeasurer): number {
  const last = runs.at(-1)
  return last?.text.endsWith(' ') ? width - last.width + measurer.width(last.text.trimEnd(), last) : width
}

/** A word that is longer than a line breaks between graphemes, without a hyphen. */
function splitLongWord(word: Word, width: number, measurer: TextMeasurer): Word[] {
  if (trimmedWidth(word, measurer) <= width) return [word]
  const parts: Word[] = []
  for (const run of word.runs.flatMap((run) => splitGraphemes(run, measurer))) {
    const last = parts.at(-1)
    if (last && last.width + run.width <= width) {
      last.runs.push(run)
      last.width += run.width
    } else parts.push({ runs: [run], width: run.width })
  }
  return parts
}

const splitGraphemes = (run: FontRun, measurer: TextMeasurer): FontRun[] =>
  graphemesOf(run.text).map((text) => ({ ...run, text, width: measurer.width(text, run) }))

function trimEnd(runs: FontRun[], measurer: TextMeasurer): FontRun[] {
  const last = runs.at(-1)
  if (!last?.text.endsWith(' ')) return runs
  const text = last.text.trimEnd()
  return [...runs.slice(0, -1), { ...last, text, width: measurer.width(text, last) }]
}
