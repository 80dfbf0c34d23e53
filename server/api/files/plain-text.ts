/** A blank line, in any of Unicode's spellings of a line's end. */
const PARAGRAPH_END = /\u2029|(?:\r\n|[\n\r\u0085\u2028])[^\S\n\r\u2028\u2029]*(?:\r\n|[\n\r\u0085\u2028])/u

/** `\s` has U+2028, U+2029, U+FEFF and no-break spaces in it, but not the C1 control "next line". */
const WHITE_SPACE = /[\s\u0085]+/gu

/**
 * Controls, which terminals and players obey; embeddings, overrides and isolates, which make a line read differently from
 * what it says; annotation marks, which hide text. The marks that Arabic, Hebrew, Persian and emoji need are kept.
 */
const DECEIVING = /\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]/gu

/** Fillers, joiners and marks by themselves: nothing to see. */
const INVISIBLE = /^[\s\p{Default_Ignorable_Code_Point}]*$/u

/** Text as one line that shows what it says, fit for any format once its own special characters are escaped; empty where nothing shows. */
export function plainText(text: string): string {
  const line = text.toWellFormed().replace(WHITE_SPACE, ' ').replace(DECEIVING, '')
  return INVISIBLE.test(line) ? '' : line.replace(/ {2,}/g, ' ').trim()
}

export function paragraphs(text: string): string[] {
  return text
    .split(PARAGRAPH_END)
    .map(plainText)
    .filter((paragraph) => paragraph !== '')
}
