import bidiFactory, { type Bidi } from 'bidi-js'

export type Direction = 'ltr' | 'rtl'

// The package is CommonJS and exports the function itself; its types declare an ES module.
const bidi = (bidiFactory as unknown as () => Bidi)()
const FSI = '\u2068'
const PDI = '\u2069'

/** The direction of the first character that has one (UAX #9, P2 and P3). */
export function directionOf(text: string, fallback: Direction): Direction {
  for (const char of text) {
    if (isRtl(char)) return 'rtl'
    if (bidi.getBidiCharTypeName(char) === 'L') return 'ltr'
  }
  return fallback
}

export const isRtl = (char: string): boolean => ['R', 'AL'].includes(bidi.getBidiCharTypeName(char))

/** The embedding level of every UTF-16 unit. Odd levels run from right to left. Isolated parts do not affect their surroundings. */
export function embeddingLevels(
  parts: readonly { text: string; isolated: boolean }[],
  base: Direction,
): number[] {
  const text = parts.map(({ text, isolated }) => (isolated ? FSI + text + PDI : text)).join('')
  const { levels } = bidi.getEmbeddingLevels(withoutSurrogates(text), base)
  return Array.from(levels).filter((_, at) => text[at] !== FSI && text[at] !== PDI)
}

/** bidi-js looks at UTF-16 units and takes every surrogate for a left-to-right letter. These have the right class instead. */
const SUBSTITUTES: Record<string, string> = {
  R: 'א',
  AL: 'ا',
  AN: '٠',
  EN: '0',
  ET: '%',
  NSM: '\u0300',
  ON: '!',
}

const withoutSurrogates = (text: string): string =>
  text.replace(/[\u{10000}-\u{10ffff}]/gu, (char) =>
    (SUBSTITUTES[bidi.getBidiCharTypeName(char)] ?? 'a').repeat(char.length),
  )

/** Positions from left to right of runs whose levels are given in reading order (L2). */
export const visualOrder = (levels: readonly number[]): number[] =>
  bidi.getReorderedIndices('a'.repeat(levels.length), {
    levels: Uint8Array.from(levels),
    paragraphs: [{ start: 0, end: levels.length - 1, level: 0 }],
  })

/** Brackets as they look in right-to-left text (L4). */
export const mirrored = (text: string): string =>
  Array.from(text, (char) => bidi.getMirroredCharacter(char) ?? char).join('')
