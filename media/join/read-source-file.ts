import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { CustomSource, Input } from 'mediabunny'
import { DEMUXERS } from '../containers/demuxers.ts'
import type { SourceFile, Span } from './source-file.ts'

export const openSourceFile = async (file: SourceFile): Promise<Input> =>
  new Input({ formats: DEMUXERS[file.container], source: await sourceOf(file) })

/** The bytes of all spans, as one stream. */
export async function* bytesOf({ spans }: SourceFile): AsyncGenerator<Buffer> {
  for (const { path, start, end } of spans) {
    if (end === undefined) yield* createReadStream(path, { start })
    else if (end > start) yield* createReadStream(path, { start, end: end - 1 })
  }
}

/** Whether the disk failed. A demuxer's errors have no `errno`; a closed pipe fails with `write`. */
export const isDiskError = (error: unknown): boolean =>
  error instanceof Error && 'errno' in error && 'syscall' in error && error.syscall !== 'write'

export const sizeOf = async ({ spans }: SourceFile): Promise<number> =>
  (await placeSpans(spans)).at(-1)?.to ?? 0

async function sourceOf(file: SourceFile): Promise<CustomSource> {
  const spans = await placeSpans(file.spans)
  return new CustomSource({
    getSize: () => spans.at(-1)?.to ?? 0,
    read: (from, to) => readAcross(spans, from, to),
    prefetchProfile: 'fileSystem',
    maxCacheSize: 2 ** 21,
    // A read-ahead that fails while no call awaits it would end the process; the next read meets the same error.
    handleUnhandledError: () => undefined,
  })
}

/** A span, and where it lies in the assembled file. */
interface PlacedSpan extends Span {
  from: number
  to: number
}

async function placeSpans(spans: Span[]): Promise<PlacedSpan[]> {
  const placed: PlacedSpan[] = []
  for (const { path, start, end } of spans) {
    const from = placed.at(-1)?.to ?? 0
    placed.push({ path, start, from, to: from + (end ?? (await stat(path)).size) - start })
  }
  return placed
}

/** Files are opened for each read: two hours of parts are too many to keep open. */
async function readAcross(spans: PlacedSpan[], from: number, to: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(to - from)
  for (const span of spans.filter((span) => span.from < to && from < span.to)) {
    const first = Math.max(from, span.from)
    await using handle = await open(span.path)
    await handle.read(bytes, first - from, Math.min(to, span.to) - first, span.start + first - span.from)
  }
  return bytes
}
