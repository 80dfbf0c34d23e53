/** The range of a request; `end` is the last byte, as in the header. */
export type ByteRange =
  | { kind: 'whole' }
  | { kind: 'part'; start: number; end: number }
  | { kind: 'unsatisfiable' }

const SINGLE_RANGE = /^bytes=[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/i

/**
 * RFC 9110, section 14: a server may ignore a `Range`, and must ignore one that is not well formed. Several ranges are
 * ignored too: players request one, and many overlapping ranges are a known way to exhaust a server.
 */
export function byteRange(header: string | undefined, size: number): ByteRange {
  const found = SINGLE_RANGE.exec(header ?? '')
  if (!found) return { kind: 'whole' }
  const [, first, last, suffix] = found
  if (first === undefined) return lastBytes(Number(suffix), size)
  return bytesFrom(Number(first), last ? Number(last) : Number.POSITIVE_INFINITY, size)
}

/** The `Content-Range` of a 206 or a 416; a whole file has none. */
export function contentRange(range: ByteRange, size: number): string | null {
  if (range.kind === 'whole') return null
  return range.kind === 'part' ? `bytes ${range.start}-${range.end}/${size}` : `bytes */${size}`
}

function bytesFrom(first: number, last: number, size: number): ByteRange {
  if (last < first) return { kind: 'whole' }
  if (first >= size) return { kind: 'unsatisfiable' }
  return { kind: 'part', start: first, end: Math.min(last, size - 1) }
}

function lastBytes(length: number, size: number): ByteRange {
  if (length === 0) return { kind: 'unsatisfiable' }
  // Satisfiable by the RFC, but `Content-Range` cannot express a range of an empty file.
  if (size === 0) return { kind: 'whole' }
  return { kind: 'part', start: Math.max(size - length, 0), end: size - 1 }
}
