import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { FileExists, type FileStore, type StoredFile } from './file-store.ts'

export interface MoveOptions {
  from: FileStore
  to: FileStore
  /** Whether files are removed from `from` after their copy was verified. */
  remove: boolean
  /** Whether files that `to` already has are read and compared, too. */
  verify: boolean
  onProgress(progress: MoveProgress): void
}

export interface MoveProgress {
  copied: number
  copiedBytes: number
  /** Files that `to` already had. */
  present: number
  /** Files that were erased after they were listed. */
  erased: number
  removed: number
}

const PARALLEL_FILES = 4

/**
 * Copies every file that `to` does not have yet, and verifies each copy by its SHA-256. Safe to interrupt, to repeat, and to run while
 * the service is running: a file that is erased in the meantime is not copied back.
 */
export async function moveFiles(options: MoveOptions): Promise<MoveProgress> {
  const progress: MoveProgress = { copied: 0, copiedBytes: 0, present: 0, erased: 0, removed: 0 }
  const files = options.from.walk()[Symbol.asyncIterator]()
  const moveNext = async (): Promise<void> => {
    for (let next = await files.next(); !next.done; next = await files.next()) {
      await moveFile(options, next.value, progress)
      options.onProgress(progress)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL_FILES }, moveNext))
  return progress
}

async function moveFile(
  { from, to, remove, verify }: MoveOptions,
  { key, bytes }: StoredFile,
  progress: MoveProgress,
): Promise<void> {
  // A file that is there already is never replaced: the service can have stored it a moment ago.
  const outcome = (await to.size(key)) === null ? await copy(from, to, key) : 'present'
  progress[outcome] += 1
  if (outcome === 'copied') progress.copiedBytes += bytes
  else if (verify || remove) await requireSame(from, to, key)
  if ((await from.size(key)) === null) return to.remove(key)
  if (!remove) return
  await from.remove(key)
  progress.removed += 1
}

/** Since the file was listed, it can have been erased, or the service can have stored it in `to`. */
async function copy(from: FileStore, to: FileStore, key: string): Promise<'copied' | 'present' | 'erased'> {
  const content = await unlessErased(from, key, () => from.read(key))
  if (content === null) return 'erased'
  const file = await to.receive(content, Number.POSITIVE_INFINITY).catch((error: unknown) => {
    content.destroy()
    throw error
  })
  try {
    await file.keep(key)
  } catch (error) {
    if (error instanceof FileExists) return 'present'
    throw error
  } finally {
    await file.discard()
  }
  const copied = await unlessErased(to, key, async () => digestOf(await to.read(key)))
  if (copied !== null && copied !== file.digest.toString('hex')) throw new DifferentCopy(key)
  return 'copied'
}

async function requireSame(from: FileStore, to: FileStore, key: string): Promise<void> {
  const [one, other] = await Promise.all(
    [from, to].map((store) => unlessErased(store, key, async () => digestOf(await store.read(key)))),
  )
  if (one && other && one !== other) throw new DifferentCopy(key)
}

class DifferentCopy extends Error {
  constructor(key: string) {
    super(
      `The two stores have different files with the key ${key}. Remove the wrong one and run the command again.`,
    )
  }
}

async function unlessErased<T>(store: FileStore, key: string, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if ((await store.size(key)) === null) return null
    throw error
  }
}

async function digestOf(content: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of content) hash.update(part as Buffer)
  return hash.digest('hex')
}
