import type { IncomingMessage } from 'node:http'

export interface Credential {
  token: string
  source: 'cookie' | 'bearer'
}

/** Longer tokens are refused before anything is decoded. */
const MAX_TOKEN_BYTES = 8192

/**
 * The cookie first, then `Authorization: Bearer`. A cookie that is not empty is used even if it is invalid. Null without a
 * credential, and with two of a kind: parsers differ on which of them counts.
 */
export function readCredential(request: IncomingMessage, cookieName: string): Credential | null {
  const cookies = cookieValues(request.headers.cookie ?? '', cookieName)
  // Node silently keeps the first of two Authorization headers; the distinct view shows both.
  const headers = request.headersDistinct['authorization'] ?? []
  if (cookies.length > 1 || headers.length > 1) return null
  const cookie = cookies[0] ?? ''
  const bearer = /^bearer +(.*)$/i.exec(headers[0] ?? '')?.[1]?.trim() ?? ''
  const token = cookie || bearer
  if (token === '' || token.length > MAX_TOKEN_BYTES) return null
  return { token, source: cookie ? 'cookie' : 'bearer' }
}

/** All values of one name, without decoding: tokens need none, and decoders disagree. */
function cookieValues(header: string, name: string): string[] {
  const pairs = header.split(';').map((pair) => pair.trim())
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1))
}
