import type { Source } from './report-document.ts'

/** Bidi controls could show a text or its neighbours in another order than stored. The renderers isolate texts instead. */
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
/** Invisible characters without a purpose here. The joiners stay: Persian and many emoji need them. */
const INVISIBLE =
  /[[\p{Cc}--[\t-\r\u0085]]\p{Noncharacter_Code_Point}\u00ad\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb]/gv
/** All white space except no-break spaces, which are intended. */
const SPACES = /[\t-\r \u0085\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]+/g

/** One line of text without control characters. */
export function plain(text: string): string {
  return text
    .toWellFormed()
    .replace(BIDI_CONTROLS, '')
    .replace(INVISIBLE, '')
    .replace(SPACES, ' ')
    .normalize('NFC')
    .trim()
}

/** Splits at line breaks. */
export const paragraphsOf = (text: string): string[] =>
  text
    .split(/[\r\n\u0085\u2028\u2029]+/)
    .map(plain)
    .filter((paragraph) => paragraph !== '')

/** The URL in canonical ASCII form, or null if it is not safe to link to. */
export function webUrl(text: string): URL | null {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return null
  // With user info, a link can show one host and lead to another.
  return url.username || url.password ? null : url
}

/** The URL of the conversation with a W3C media fragment (`#t=42`), which the dashboard's player supports. */
export function hrefOf(source: Source): string | null {
  const url = source.url === null ? null : webUrl(source.url)
  const second = secondOf(source)
  if (url && url.hash === '' && second !== null) url.hash = `t=${second}`
  return url?.href ?? null
}

export const secondOf = ({ start_ms }: Source): number | null =>
  start_ms === null ? null : Math.max(0, Math.floor(start_ms / 1000))
