import { type FontName, fontFor } from './fonts.ts'
import type { TextStyle } from './theme.ts'

/** A stretch of text in one style, perhaps a link. */
export interface Span {
  text: string
  style: TextStyle
  link?: Link
  /** A name, a title or a number within other words: neighbours of one isolate order themselves, and nothing around them. */
  isolate?: symbol
}

export const isolated = (span: Span): Span => ({ ...span, isolate: Symbol('isolate') })

export interface Link {
  /** A URL, or `#` and an anchor of this document. */
  href: string
  description: string
}

/** Text in one font, measured. */
export interface Piece extends Span {
  font: FontName
  width: number
}

/** What a line cannot be broken within. */
export interface Word {
  pieces: Piece[]
  width: number
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })
const NEUTRAL = /^[\s\p{P}]+$/u
/** After a space, after a dash between letters, after a long dash. No-break spaces are no spaces here. */
const BREAKS = /(?<= )|(?<=\p{L}[-\u2010\u2013/])(?=\p{L})|(?<=\u2014)(?! )/u

/**
 * No line holds so many letters. Shaping takes more than twice as long for a word of twice the length, and a text of
 * 100,000 characters without a space would hold everybody up.
 */
const LONGEST = 250

const cut = (token: string): string[] =>
  token.length <= LONGEST ? [token] : (token.match(new RegExp(`.{1,${LONGEST}}`, 'gsu')) ?? [])

/** Latin with its usual punctuation: each is a grapheme by itself, and the segmenter's long way is half of all time. */
const SIMPLE = /^[ -\u02ff\u2010-\u2026]*$/

export const graphemesOf = (text: string): string[] =>
  SIMPLE.test(text) ? text.split('') : Array.from(graphemes.segment(text), ({ segment }) => segment)

/** Knows the widths of the fonts, and counts the characters that they lack. */
export class Typesetter {
  readonly #measure: (text: string, font: FontName, size: number) => number
  readonly #missing: (characters: number) => string
  /** Whether anything had to be replaced so far. */
  lacking = false

  constructor(
    measure: (text: string, font: FontName, size: number) => number,
    missing: (characters: number) => string,
  ) {
    this.#measure = measure
    this.#missing = missing
  }

  width = (text: string, { font, size }: { font: FontName; size: number }): number =>
    this.#measure(text, font, size)

  words(spans: readonly Span[]): Word[] {
    const words: Word[] = []
    let open = false
    for (const span of spans) {
      for (const [at, token] of this.#shown(span.text, span.style.font)
        .split(BREAKS)
        .flatMap(cut)
        .entries()) {
        const pieces = this.pieces({ ...span, text: token })
        // A link or another font may begin in the middle of a word.
        if (at === 0 && open) words.at(-1)?.pieces.push(...pieces)
        else words.push({ pieces, width: 0 })
        open = !token.endsWith(' ')
      }
    }
    for (const word of words) word.width = widthOf(word.pieces)
    return words
  }

  /** By the fonts that have its characters. White space and punctuation stay with the letters before them. */
  pieces(span: Span): Piece[] {
    const groups: { font: FontName; text: string }[] = []
    for (const grapheme of graphemesOf(span.text)) {
      const last = groups.at(-1)
      const stays = last && NEUTRAL.test(grapheme) && fontFor(grapheme, last.font) === last.font
      const font = stays ? last.font : (fontFor(grapheme, span.style.font) ?? span.style.font)
      if (last?.font === font) last.text += grapheme
      else groups.push({ font, text: grapheme })
    }
    return groups.map(({ font, text }) => ({
      ...span,
      text,
      font,
      width: this.#measure(text, font, span.style.size),
    }))
  }

  /** Characters that no font has become words that say so; a hollow box would look like an error of the reader's. */
  #shown(text: string, font: FontName): string {
    const all = graphemesOf(text)
    const lacks = all.map((grapheme) => fontFor(grapheme, font) === null)
    if (!lacks.includes(true)) return text
    this.lacking = true
    const shown: string[] = []
    for (let at = 0; at < all.length; at++) {
      const end = endOfLack(all, lacks, at)
      shown.push(end > at ? this.#missing(end - at) : (all[at] as string))
      at = Math.max(at, end - 1)
    }
    return shown.join('')
  }
}

/** Spaces and punctuation between two missing characters go with them: a sentence is one gap, not one a word. */
function endOfLack(all: readonly string[], lacks: readonly boolean[], start: number): number {
  let end = start
  for (
    let at = start;
    at < all.length && (lacks[at] || (end > start && NEUTRAL.test(all[at] as string)));
    at++
  )
    if (lacks[at]) end = at + 1
  return end
}

export const widthOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { width }) => sum + width, 0)
