/**
 * Reads responses of S3, whose elements have no attributes that matter and never contain an element of their own name. Keys come
 * URL-encoded, because the requests ask for that.
 */
export function elements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, 'g'))].map(
    ([, content = '']) => content,
  )
}

/** The text of the first element of this name; empty if there is none. */
export const textOf = (xml: string, name: string): string => unescapeXml(elements(xml, name)[0] ?? '')

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

const unescapeXml = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal?: string, hex?: string, name = '') => {
    if (decimal) return String.fromCodePoint(Number(decimal))
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16))
    return ENTITIES[String(name)] ?? whole
  })

export const escapeXml = (text: string): string =>
  text.replace(/[<>&]/g, (char) => (char === '<' ? '&lt;' : char === '>' ? '&gt;' : '&amp;'))
