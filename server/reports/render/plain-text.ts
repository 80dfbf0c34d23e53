import type { Source } from './report-document.ts'
import { secondOf } from './report-document.ts'

/**
 * Bidirectional overrides, embeddings, isolates and marks: with one of them a passage could show its neighbours,
 * or itself, in another order than it is stored. What belongs together is isolated by the renderings instead.
 */
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
/** What nobody sees and nothing needs; the joiners stay, since Persian and many emoji are spelled with them. */
const INVISIBLE =
  /[[\p{Cc}--[\t-\r\u0085]]\p{Noncharacter_Code_Point}\u00ad\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb]/gv
/** All white space but the no-break spaces, which are there on purpose. */
const SPACES = /[\t-\r \u0085\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]+/g

/** One line of text without anything that steers a terminal, a page or a reading order. */
export function plain(text: string): string {
  return text
    .toWellFormed()
    .replace(BIDI_CONTROLS, '')
    .replace(INVISIBLE, '')
    .replace(SPACES, ' ')
    .normalize('NFC')
    .trim()
}

/** Text of several paragraphs, by its line breaks. */
export const paragraphsOf = (text: string): string[] =>
  text
    .split(/[\r\n\u0085\u2028\u2029]+/)
    .map(plain)
    .filter((paragraph) => paragraph !== '')

/** The URL in its canonical, purely ASCII spelling, if a reader may be sent there. */
export function webUrl(text: string): URL | null {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return null
  // Before an @ a link can show one host and lead to another.
  return url.username || url.password ? null : url
}

/** The conversation at the second: `#t=` is the W3C's media fragment, which the dashboard's player reads. */
export function hrefOf(source: Source): string | null {
  const url = webUrl(source.url)
  const second = secondOf(source)
  if (url && url.hash === '' && second !== null) url.hash = `t=${second}`
  return url?.href ?? null
}
