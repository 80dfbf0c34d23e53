import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Db } from '../../database/database.ts'
import { continueFile } from '../../media/after-loss/continue-file.ts'
import { bytesOf } from '../../media/join/file-spans.ts'
import { createTempDirectory } from '../../platform/temp-directory.ts'
import type { FileStore } from '../../storage/file-store.ts'
import { chunkKey, conversationById } from '../conversations/index.ts'
import { type ChunkRow, hasHeader, headerFor } from './find-file-chunks.ts'
import type { Container } from './transcriber.ts'

interface LentFile {
  path: string
  container: Container
  /** The number of the first chunk with audio. */
  firstPart: number
  /** For a file after a missing chunk: when it begins in the recorder's stream, -1 if unknown. Otherwise null. */
  streamMs: number | null
}

/**
 * Lends a path for each file. A file that was sent in several chunks is copied to one temporary file, and one after a missing chunk
 * gets a header; null if it has no point at which a decoder can begin.
 */
export async function withFiles<T>(
  { db, files: store }: { db: Db; files: FileStore },
  files: ChunkRow[][],
  use: (files: (LentFile | null)[]) => Promise<T>,
): Promise<T> {
  await using temp = await createTempDirectory()
  const isSingle = (chunks: ChunkRow[]) => chunks.length === 1 && hasHeader(chunks)
  const copies = new Map<ChunkRow[], LentFile | null>()
  for (const [n, chunks] of files.entries()) {
    const path = join(temp.path, String(n))
    if (!hasHeader(chunks)) copies.set(chunks, await copyAfterLoss({ db, store }, chunks, path))
    else if (!isSingle(chunks)) {
      copies.set(chunks, fileAt(path, chunks))
      for (const key of chunks.map(keyOf))
        await pipeline(await store.read(key), createWriteStream(path, { flags: 'a' }))
    }
  }
  const single = files.filter(isSingle)
  return await store.withPaths(
    single.flatMap((chunks) => chunks.map(keyOf)),
    (lent) => use(files.map((chunks) => copies.get(chunks) ?? fileOf(chunks, lent[single.indexOf(chunks)]))),
  )
}

const fileOf = (chunks: ChunkRow[], path: string | undefined): LentFile | null =>
  path === undefined ? null : fileAt(path, chunks)

const fileAt = (path: string, chunks: ChunkRow[]): LentFile => ({
  path,
  container: chunks[0]?.container as Container,
  firstPart: 0,
  streamMs: null,
})

async function copyAfterLoss(
  { db, store }: { db: Db; store: FileStore },
  chunks: ChunkRow[],
  target: string,
): Promise<LentFile | null> {
  const header = await headerFor(db, chunks[0] as ChunkRow)
  const keys = [...chunks, ...(header ? [header] : [])].map(keyOf)
  return await store.withPaths(keys, async (paths) => {
    const parts = paths.slice(0, chunks.length)
    const headerPath = paths[chunks.length]
    const from = header && headerPath ? { path: headerPath, container: header.container as Container } : null
    const continued = await continueFile(parts, from, header ? null : await sliceSeconds(db, chunks))
    if (!continued) return null
    await pipeline(Readable.from(bytesOf(continued)), createWriteStream(target))
    const { container, firstPart, startMs } = continued
    return { path: target, container, firstPart, streamMs: startMs ?? -1 }
  })
}

/** The length that the recorder was asked for. */
async function sliceSeconds(db: Db, chunks: ChunkRow[]): Promise<number | null> {
  const found = await conversationById(db, chunks[0]?.conversation_id ?? '').executeTakeFirst()
  return found?.chunk_seconds ?? null
}

const keyOf = ({ conversation_id, seq, digest }: ChunkRow): string => chunkKey(conversation_id, seq, digest)
