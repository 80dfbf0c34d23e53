import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import {
  ADTS,
  CustomSource,
  FLAC,
  Input,
  type InputAudioTrack,
  type InputFormat,
  Logging,
  LogLevel,
  MATROSKA,
  MP3,
  MP4,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny'
import type { Container } from '../containers/container.ts'
import type { Piece, Span } from './source-file.ts'

/** It warns on the console about odd files; what is wrong with a file is in our result. */
Logging.level = LogLevel.Silent

/** Only the demuxers of the container that was sniffed, so that a file can't pass for something else here. */
const demuxers: Record<Container, InputFormat[]> = {
  webm: [WEBM, MATROSKA],
  ogg: [OGG],
  mp4: [MP4, QTFF],
  wav: [WAVE],
  mp3: [MP3],
  flac: [FLAC],
  aac: [ADTS],
}

export async function withAudioTrack<Result>(
  piece: Piece,
  use: (track: InputAudioTrack | null) => Promise<Result>,
): Promise<Result> {
  using input = new Input({ formats: demuxers[piece.container], source: await sourceOf(piece) })
  return await use(await input.getPrimaryAudioTrack())
}

/** The bytes of all spans in a row, for what reads a stream. */
export async function* bytesOf({ spans }: Piece): AsyncGenerator<Buffer> {
  for (const { path, start, end } of spans) {
    if (end === undefined) yield* createReadStream(path, { start })
    else if (end > start) yield* createReadStream(path, { start, end: end - 1 })
  }
}

/** What the disk says; a demuxer has no such words for bytes that make no sense. Nor is it a pipe that nobody reads any more. */
export const isOfDisk = (error: unknown): boolean =>
  error instanceof Error && 'errno' in error && 'syscall' in error && error.syscall !== 'write'

export const bytesIn = async ({ spans }: Piece): Promise<number> => (await inARow(spans)).at(-1)?.to ?? 0

async function sourceOf(piece: Piece): Promise<CustomSource> {
  const spans = await inARow(piece.spans)
  return new CustomSource({
    getSize: () => spans.at(-1)?.to ?? 0,
    read: (from, to) => readAcross(spans, from, to),
    prefetchProfile: 'fileSystem',
    maxCacheSize: 2 ** 21,
    // Reading ahead may fail while nobody waits for it, which would end the process; the next read meets the same failure.
    handleUnhandledError: () => undefined,
  })
}

/** A span, and where it lies in the piece. */
interface PlacedSpan {
  path: string
  start: number
  from: number
  to: number
}

async function inARow(spans: Span[]): Promise<PlacedSpan[]> {
  const placed: PlacedSpan[] = []
  for (const { path, start, end } of spans) {
    const from = placed.at(-1)?.to ?? 0
    placed.push({ path, start, from, to: from + (end ?? (await stat(path)).size) - start })
  }
  return placed
}

/** Files are opened for each read: two hours of slices would be too many to keep open. */
async function readAcross(spans: PlacedSpan[], from: number, to: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(to - from)
  for (const span of spans.filter((span) => span.from < to && from < span.to)) {
    const first = Math.max(from, span.from)
    await using file = await open(span.path)
    await file.read(bytes, first - from, Math.min(to, span.to) - first, span.start + first - span.from)
  }
  return bytes
}
