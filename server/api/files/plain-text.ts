/** A blank line, with any of Unicode's line separators. */
const PARAGRAPH_END = /\u2029|(?:\r\n|[\n\r\u0085\u2028])[^\S\n\r\u2028\u2029]*(?:\r\n|[\n\r\u0085\u2028])/u

/** `\s` contains U+2028, U+2029, U+FEFF and no-break spaces, but not the C1 control "next line". */
const WHITE_SPACE = /[\s\u0085]+/gu

/**
 * Control characters, which terminals and players interpret; bidi embeddings, overrides and isolates, which reorder a line;
 * annotation marks, which hide text. Marks that Arabic, Hebrew, Persian and emoji need are kept.
 */
const DECEPTIVE = /\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]/gu

/** Only fillers, joiners and marks. */
const INVISIBLE = /^[\s\p{Default_Ignorable_Code_Point}]*$/u

/** One visible line for any format, before escaping. Empty if nothing is visible. */
export function plainText(text: string): string {
  const line = text.toWellFormed().replace(WHITE_SPACE, ' ').replace(DECEPTIVE, '')
  return INVISIBLE.test(line) ? '' : line.replace(/ {2,}/g, ' ').trim()
}

export function paragraphs(text: string): string[] {
  return text
    .split(PARAGRAPH_END)
    .map(plainText)
    .filter((paragraph) => paragraph !== '')
}
