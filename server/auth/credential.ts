import type { IncomingMessage } from 'node:http'

export type Credential =
  | { found: 'none' }
  /** More than one of a kind: parsers differ on which counts, so none does. */
  | { found: 'ambiguous' }
  | { found: 'token'; token: string; source: 'cookie' | 'bearer' }

/** Longer tokens are refused before anything is decoded. */
const MAX_TOKEN_BYTES = 8192

/** The cookie first, then `Authorization: Bearer`. A non-empty cookie is THE credential, good or bad; an empty one counts as absent. */
export function readCredential(request: IncomingMessage, cookieName: string): Credential {
  const cookies = cookieValues(request.headers.cookie, cookieName)
  if (cookies.length > 1) return { found: 'ambiguous' }
  const cookie = cookies[0] ?? ''
  // Node keeps the first of two Authorization headers without a word; the distinct view shows both.
  const headers = request.headersDistinct['authorization'] ?? []
  if (headers.length > 1) return { found: 'ambiguous' }
  if (cookie !== '') return toCredential(cookie, 'cookie')
  const bearer = /^bearer +(.*)$/i.exec(headers[0] ?? '')?.[1]?.trim() ?? ''
  return bearer === '' ? { found: 'none' } : toCredential(bearer, 'bearer')
}

const toCredential = (token: string, source: 'cookie' | 'bearer'): Credential =>
  token.length > MAX_TOKEN_BYTES ? { found: 'ambiguous' } : { found: 'token', token, source }

/** All values under one name, as sent: tokens need no decoding, and decoders disagree. */
function cookieValues(header: string | undefined, name: string): string[] {
  if (header === undefined) return []
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
}
