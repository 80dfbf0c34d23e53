import LineBreaker from 'linebreak'
import { type FontName, fontFor } from './fonts.ts'
import type { TextStyle } from './theme.ts'

/** Text in one style, perhaps a link. */
export interface Span {
  text: string
  style: TextStyle
  link?: Link
  /** Equal for neighbours that form one bidi isolate: a name, a title or a number inside other text. */
  isolate?: symbol
}

export const isolated = (span: Span): Span => ({ ...span, isolate: Symbol('isolate') })

export interface Link {
  /** A URL, or `#` and an anchor of this document. */
  href: string
  description: string
}

/** Text in one font, measured. */
export interface FontRun extends Span {
  font: FontName
  width: number
}

/** The text between two line break opportunities. */
export interface Word {
  runs: FontRun[]
  width: number
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })
const NEUTRAL = /^[\s\p{P}]+$/u

/** Longer than any line. Shaping 100,000 characters without a space would block the event loop. */
const MAX_WORD_LENGTH = 250
const SLICES = new RegExp(`.{1,${MAX_WORD_LENGTH}}`, 'gsu')

/** In Latin text each character is a grapheme; the segmenter would take half of the rendering time for it. */
const LATIN = /^[ -\u02ff\u2010-\u2026]*$/

export const graphemesOf = (text: string): string[] =>
  LATIN.test(text) ? text.split('') : Array.from(graphemes.segment(text), ({ segment }) => segment)

/** Splits text into words and font runs, and measures them. */
export class TextMeasurer {
  readonly #measure: (text: string, font: FontName, size: number) => number
  readonly #placeholder: (characters: number) => string
  /** Whether any text so far had characters that no font has. */
  hasMissingCharacters = false

  constructor(
    measure: (text: string, font: FontName, size: number) => number,
    placeholder: (characters: number) => string,
  ) {
    this.#measure = measure
    this.#placeholder = placeholder
  }

  width = (text: string, { font, style }: Pick<FontRun, 'font' | 'style'>): number =>
    this.#measure(text, font, style.size)

  /** Break opportunities (UAX #14) are found in the whole text: a link or another style can start inside a word. */
  words(given: readonly Span[]): Word[] {
    const spans = given.map((span) => ({ ...span, text: this.#withPlaceholders(span.text, span.style.font) }))
    let start = 0
    return wordTexts(spans.map(({ text }) => text).join('')).map(({ length }) => {
      const runs = sliceSpans(spans, start, start + length).flatMap((span) => this.fontRuns(span))
      start += length
      return { runs, width: widthOf(runs) }
    })
  }

  /** White space and punctuation stay in the font of the letters before them. */
  fontRuns(span: Span): FontRun[] {
    const groups: { font: FontName; text: string }[] = []
    for (const grapheme of graphemesOf(span.text)) {
      const last = groups.at(-1)
      const stays = last && NEUTRAL.test(grapheme) && fontFor(grapheme, last.font) === last.font
      const font = stays ? last.font : (fontFor(grapheme, span.style.font) ?? span.style.font)
      if (last?.font === font) last.text += grapheme
      else groups.push({ font, text: grapheme })
    }
    return groups.map(({ font, text }) => {
      const run = { ...span, text, font }
      return { ...run, width: this.width(text, run) }
    })
  }

  /** An empty box for a missing glyph would look like a defect. Punctuation between missing characters belongs to the gap. */
  #withPlaceholders(text: string, font: FontName): string {
    let shown = ''
    let missing = 0
    let neutral: string[] = []
    const endGap = (): void => {
      shown += (missing > 0 ? this.#placeholder(missing) : '') + neutral.join('')
      ;[missing, neutral] = [0, []]
    }
    for (const grapheme of graphemesOf(text)) {
      if (fontFor(grapheme, font) === null) {
        this.hasMissingCharacters = true
        missing += neutral.length + 1
        neutral = []
      } else if (missing > 0 && NEUTRAL.test(grapheme)) neutral.push(grapheme)
      else {
        endGap()
        shown += grapheme
      }
    }
    endGap()
    return shown
  }
}

function wordTexts(text: string): string[] {
  const breaker = new LineBreaker(text)
  const words: string[] = []
  let start = 0
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
    words.push(...(text.slice(start, next.position).match(SLICES) ?? []))
    start = next.position
  }
  return words
}

/** The text from `start` to `end`, in UTF-16 units. */
function sliceSpans(spans: readonly Span[], start: number, end: number): Span[] {
  let at = 0
  return spans.map((span) => {
    const text = span.text.slice(Math.max(0, start - at), Math.max(0, end - at))
    at += span.text.length
    return { ...span, text }
  })
}

export const widthOf = (runs: readonly FontRun[]): number => runs.reduce((sum, { width }) => sum + width, 0)
