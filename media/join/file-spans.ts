import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { Span } from '../after-loss/span.ts'
import type { SourceFile } from './source-file.ts'

/** The bytes of all spans, as one stream. */
export async function* bytesOf({ spans }: Pick<SourceFile, 'spans'>): AsyncGenerator<Buffer> {
  for (const span of spans) {
    if ('bytes' in span) yield Buffer.from(span.bytes)
    else if (span.end === undefined) yield* createReadStream(span.path, { start: span.start })
    else if (span.end > span.start)
      yield* createReadStream(span.path, { start: span.start, end: span.end - 1 })
  }
}

/** Whether the disk failed. A demuxer's errors have no `errno`; a closed pipe fails with `write`. */
export const isDiskError = (error: unknown): boolean =>
  error instanceof Error && 'errno' in error && 'syscall' in error && error.syscall !== 'write'

export const sizeOf = async ({ spans }: SourceFile): Promise<number> =>
  (await placeSpans(spans)).at(-1)?.to ?? 0

/** A span, and its position in the assembled file. */
type PlacedSpan = Span & { from: number; to: number }

export async function placeSpans(spans: Span[]): Promise<PlacedSpan[]> {
  const placed: PlacedSpan[] = []
  for (const span of spans) {
    const from = placed.at(-1)?.to ?? 0
    placed.push({ ...span, from, to: from + (await lengthOf(span)) })
  }
  return placed
}

const lengthOf = async (span: Span): Promise<number> =>
  'bytes' in span ? span.bytes.length : (span.end ?? (await stat(span.path)).size) - span.start

/** Files are opened for each read: two hours of parts are too many to keep open. */
export async function readAcross(spans: PlacedSpan[], from: number, to: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(to - from)
  for (const span of spans.filter((span) => span.from < to && from < span.to)) {
    const [first, end] = [Math.max(from, span.from), Math.min(to, span.to)]
    if ('bytes' in span) {
      bytes.set(span.bytes.subarray(first - span.from, end - span.from), first - from)
      continue
    }
    await using handle = await open(span.path)
    await handle.read(bytes, first - from, end - first, span.start + first - span.from)
  }
  return bytes
}
