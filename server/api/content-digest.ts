import type { IncomingHttpHeaders } from 'node:http'
import type { ReceivedFile } from '../../storage/file-store.ts'
import { invalidInput } from './problems.ts'

/** RFC 9530. A chunk has no content coding, so both headers refer to the same bytes. */
const HEADERS = ['Content-Digest', 'Repr-Digest']

const BYTES = { 'sha-256': 32, 'sha-512': 64 } as const
type Algorithm = keyof typeof BYTES

/** Digests that the client sent, each with its header. */
export type NamedDigests = { header: string; algorithm: Algorithm; value: Buffer }[]

/** Every digest of a request. A malformed header or an unsupported algorithm is an error: the client relies on the check. */
export const readDigests = (headers: IncomingHttpHeaders): NamedDigests =>
  HEADERS.flatMap((header) => {
    const value = headers[header.toLowerCase()]
    return readDictionary(header, (Array.isArray(value) ? value.join(', ') : (value ?? '')).trim())
  })

export const needsSha512 = (digests: NamedDigests): boolean =>
  digests.some(({ algorithm }) => algorithm === 'sha-512')

/** Throws when the bytes do not match a digest. */
export function requireDigests(
  digests: NamedDigests,
  { digest, sha512 }: Pick<ReceivedFile, 'digest' | 'sha512'>,
): void {
  for (const { header, algorithm, value } of digests)
    if (!(algorithm === 'sha-512' ? sha512 : digest)?.equals(value))
      throw invalidInput({
        path: header,
        message: `contains a ${algorithm} digest that does not match the received bytes`,
      })
}

// One member of a dictionary of structured fields (RFC 9651): a key, then bytes as base64 between colons, then parameters, which
// are ignored. Strings can contain commas, so the header can't be split at those.
const KEY = '[a-z*][a-z0-9_.*-]*'
const STRING = String.raw`"(?:[ !#-[\]-~]|\\["\\])*"`
const BARE_ITEM = String.raw`(?:${STRING}|:[A-Za-z0-9+/=]*:|\?[01]|@?-?\d{1,15}(?:\.\d{1,3})?|[A-Za-z*][\w!#$%&'*+.^\x60|~:/-]*)`
const MEMBER = new RegExp(`(${KEY})=:([A-Za-z0-9+/]*={0,2}):(?: *; *${KEY}(?:=${BARE_ITEM})?)*`, 'y')
const COMMA = /[ \t]*,[ \t]*/y

function readDictionary(header: string, text: string): NamedDigests {
  const digests: NamedDigests = []
  let end = 0
  while (end < text.length) {
    if (end > 0) end += lengthOf(COMMA, text, end) || unreadable(header)
    MEMBER.lastIndex = end
    const [member = unreadable(header), key = '', base64 = ''] = MEMBER.exec(text) ?? []
    digests.push({ header, algorithm: algorithmOf(header, key), value: Buffer.from(base64, 'base64') })
    end += member.length
  }
  for (const { algorithm, value } of digests) if (value.length !== BYTES[algorithm]) unreadable(header)
  return digests
}

function lengthOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0].length ?? 0
}

function algorithmOf(header: string, key: string): Algorithm {
  if (Object.hasOwn(BYTES, key)) return key as Algorithm
  throw invalidInput({ path: header, message: 'has an unsupported algorithm: use sha-256 or sha-512' })
}

function unreadable(header: string): never {
  throw invalidInput({
    path: header,
    message: 'must be a list such as sha-256=:<base64 of 32 bytes>:, sha-512=:<base64 of 64 bytes>:',
  })
}
