import { directionOf, isRtlLetter, levelsOf, mirrored, visualOrder } from './bidi.ts'
import { graphemesOf, type Piece, type Typesetter, widthOf } from './typesetter.ts'

export type Direction = 'ltr' | 'rtl'

/** What is drawn in one go. */
export interface Run extends Piece {
  /** From the left edge of the column. */
  x: number
  rtl: boolean
}

/** Around an isolate, it is one sign without a direction (UAX 9, X5c); inside, a text of its own, one level deeper. */
export function levelsOfPieces(pieces: Piece[], base: Direction): number[] {
  const groups = grouped(pieces)
  const around = levelsOf(
    groups.map(({ text, isolate }) => (isolate ? '\ufffc'.repeat(text.length) : text)).join(''),
    base,
  )
  let start = 0
  for (const { text, isolate } of groups) {
    if (isolate) {
      const direction = directionOf(text, 'ltr')
      const own = direction === 'rtl' ? 1 : 0
      const outer = around[start] ?? 0
      const deeper = outer % 2 === own ? outer + 2 : outer + 1
      for (const [at, level] of levelsOf(text, direction).entries()) around[start + at] = level - own + deeper
    }
    start += text.length
  }
  return around
}

function grouped(pieces: Piece[]): { text: string; isolate: symbol | undefined }[] {
  const groups: { text: string; isolate: symbol | undefined }[] = []
  for (const { text, isolate } of pieces) {
    const last = groups.at(-1)
    if (last && last.isolate === isolate) last.text += text
    else groups.push({ text, isolate })
  }
  return groups
}

/** The pieces of one line, in reading order, each where it is seen. */
export function place(
  pieces: Piece[],
  levels: number[],
  align: Direction,
  width: number,
  setter: Typesetter,
): Run[] {
  const runs = runsOf(pieces, levels, setter)
  let x = align === 'rtl' ? width - widthOf(runs.map(({ run }) => run)) : 0
  for (const at of visualOrder(runs.map(({ level }) => level))) {
    const run = runs[at]?.run as Run
    run.x = x
    x += run.width
  }
  return runs.map(({ run }) => run)
}

/** Neighbours of one look and one level are one run: fewer operators, and kerned as a whole. */
function runsOf(pieces: Piece[], levels: number[], setter: Typesetter): { run: Run; level: number }[] {
  const runs: { run: Run; level: number }[] = []
  let at = 0
  for (const piece of pieces) {
    for (const { text, level } of byLevel(piece.text, levels.slice(at, at + piece.text.length))) {
      const last = runs.at(-1)
      if (last && last.level === level && sameLook(last.run, piece)) last.run.text += text
      else runs.push({ run: { ...piece, text, x: 0, rtl: level % 2 === 1 }, level })
    }
    at += piece.text.length
  }
  for (const { run } of runs) run.width = setter.width(run.text, { font: run.font, size: run.style.size })
  return runs
}

function byLevel(text: string, levels: number[]): { text: string; level: number }[] {
  const parts: { text: string; level: number }[] = []
  for (const [at, level] of levels.entries()) {
    const last = parts.at(-1)
    if (last?.level === level) last.text += text[at]
    else parts.push({ text: text[at] as string, level })
  }
  return parts
}

const sameLook = (one: Piece, other: Piece): boolean =>
  one.font === other.font && one.style === other.style && one.link === other.link

/**
 * A run's characters in the order in which the shaper wants them. It turns a text around by itself when the first
 * letter with a script is of Arabic, Hebrew and the like, and only then: Persian digits in a number would come out
 * backwards, brackets alone would not turn.
 */
export function shapingOrder({ text, rtl }: Run): string {
  const shown = rtl ? mirrored(text) : text
  const first = Array.from(text).find((char) => !/\p{sc=Zyyy}|\p{sc=Zinh}/u.test(char))
  const turned = first !== undefined && (isRtlLetter(first) || /\p{sc=Arabic}/u.test(first))
  return turned === rtl ? shown : graphemesOf(shown).reverse().join('')
}
