import { directionOf } from './bidi.ts'
import { type Direction, levelsOfPieces, place, type Run } from './runs.ts'
import { graphemesOf, type Piece, type Span, type Typesetter, type Word } from './typesetter.ts'

export interface Line {
  /** In reading order, which is also the order in which they are drawn and read aloud. */
  runs: Run[]
  leading: number
}

export const directionOfSpans = (spans: readonly Span[], otherwise: Direction): Direction =>
  directionOf(textOf(spans.filter(({ isolate }) => !isolate)), otherwise)

const textOf = (spans: readonly Span[]): string => spans.map(({ text }) => text).join('')

/** Text set into lines of a width. `base` tells the order within a line, `align` at which side lines begin. */
export function setLines(
  spans: Span[],
  width: number,
  { base, align }: { base: Direction; align: Direction },
  setter: Typesetter,
): Line[] {
  const lines = fill(setter.words(spans), width, setter)
  const levels = levelsOfPieces(lines.flat(), base)
  let start = 0
  return lines.map((pieces) => {
    const length = pieces.reduce((sum, piece) => sum + piece.text.length, 0)
    const own = levels.slice(start, start + length)
    start += length
    return {
      runs: place(withoutEnd(pieces, setter), own, align, width, setter),
      leading: leadingOf(pieces),
    }
  })
}

/** Moved to the right, in a column that is wider than they were set for. */
export const shifted = (lines: Line[], by: number): Line[] =>
  lines.map((line) => ({ ...line, runs: line.runs.map((run) => ({ ...run, x: run.x + by })) }))

const leadingOf = (pieces: readonly Piece[]): number =>
  Math.max(0, ...pieces.map(({ style }) => style.leading))

/** The narrowest width that takes no more lines: a title of two lines ends in more than one last word. */
export function balancedWidth(spans: Span[], width: number, setter: Typesetter): number {
  const words = setter.words(spans)
  const lines = fill(words, width, setter).length
  let [narrow, wide] = [width / 2, width]
  while (wide - narrow > 2) {
    const middle = (narrow + wide) / 2
    if (fill(words, middle, setter).length > lines) narrow = middle
    else wide = middle
  }
  return wide
}

/** As many words a line as fit. */
function fill(words: readonly Word[], width: number, setter: Typesetter): Piece[][] {
  const lines: Piece[][] = []
  let room = 0
  for (const word of words.flatMap((word) => broken(word, width, setter))) {
    const last = lines.at(-1)
    if (last && bareWidth(word, setter) <= room) last.push(...word.pieces)
    else {
      lines.push([...word.pieces])
      room = width
    }
    room -= word.width
  }
  return lines
}

/** Without the space at its end, which may hang over. */
function bareWidth({ pieces, width }: Word, setter: Typesetter): number {
  const last = pieces.at(-1)
  return last?.text.endsWith(' ')
    ? width - last.width + setter.width(last.text.trimEnd(), sized(last))
    : width
}

const sized = ({ font, style }: Piece) => ({ font, size: style.size })

/** A word longer than a line, of whatever language, is cut where the line ends. */
function broken(word: Word, width: number, setter: Typesetter): Word[] {
  if (bareWidth(word, setter) <= width) return [word]
  const parts: Word[] = []
  for (const piece of word.pieces.flatMap((piece) => letters(piece, setter))) {
    const last = parts.at(-1)
    if (last && last.width + piece.width <= width) {
      last.pieces.push(piece)
      last.width += piece.width
    } else parts.push({ pieces: [piece], width: piece.width })
  }
  return parts
}

const letters = (piece: Piece, setter: Typesetter): Piece[] =>
  graphemesOf(piece.text).map((text) => ({ ...piece, text, width: setter.width(text, sized(piece)) }))

function withoutEnd(pieces: Piece[], setter: Typesetter): Piece[] {
  const last = pieces.at(-1)
  if (!last?.text.endsWith(' ')) return pieces
  const text = last.text.trimEnd()
  return [...pieces.slice(0, -1), { ...last, text, width: setter.width(text, sized(last)) }]
}
