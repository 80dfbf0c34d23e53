import { randomUUID } from 'node:crypto'
import { copyFile, link, mkdir, open, opendir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoring, protectTree } from './file-permissions.ts'
import { type FileStore, isDiskFull, type ReceivedFile, requireKey, StorageFull } from './file-store.ts'
import { createFileWriter, type FileWriter } from './file-writer.ts'
import { type Measured, startMeasure } from './measure.ts'

const INCOMING = 'incoming'
const UPLOADS = 'uploads'
const FILES = 'files'

/** Call before `openDiskStore`: earlier versions stored files that every account of the machine could read. */
export const protectDiskStore = (folder: string): ReturnType<typeof protectTree> =>
  protectTree(folder, [INCOMING, UPLOADS, FILES])

/** Stores files below a folder. A file appears complete or not at all, and survives a power failure. */
export async function openDiskStore(folder: string): Promise<FileStore> {
  const incoming = join(folder, INCOMING)
  const uploads = join(folder, UPLOADS)
  for (const path of [incoming, uploads]) await mkdir(path, { recursive: true, mode: 0o700 })
  const writer = createFileWriter()
  const pathOf = (key: string): string => {
    requireKey(key)
    return join(folder, FILES, key)
  }
  return {
    receive: async (content, maxBytes, options) => {
      const path = join(incoming, randomUUID())
      const measured = await receive(path, writer.write(path, content, maxBytes, options))
      return { ...measured, ...receivedFile(writer, path, pathOf) }
    },
    uploads,
    adopt: (path) =>
      adopt(path, (key) => linkAndMove(writer, path, join(incoming, randomUUID()), pathOf(key))),
    size: (key) => stat(pathOf(key)).then(({ size }) => size, ignoring('ENOENT')),
    read: async (key, range) => {
      const file = await open(pathOf(key))
      return file.createReadStream(range && { start: range.first, end: range.last })
    },
    withPaths: (keys, use) => use(keys.map(pathOf)),
    remove: (key) => rm(pathOf(key), { force: true }),
    removeAll: (prefix) => rm(pathOf(prefix), { recursive: true, force: true }),
    list: (prefix) => namesIn(pathOf(prefix)),
    removeAbandoned: () => removeAbandoned(incoming),
  }
}

/** Removes a file that was not received completely. */
async function receive(path: string, write: Promise<Measured>): Promise<Measured> {
  try {
    return await write.catch(throwStorageFull)
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

function receivedFile(
  writer: FileWriter,
  path: string,
  pathOf: (key: string) => string,
): Pick<ReceivedFile, 'keep' | 'discard'> {
  let isKept = false
  return {
    keep: async (key) => {
      await writer.move(path, pathOf(key)).catch(throwStorageFull)
      isKept = true
    },
    discard: async () => {
      if (!isKept) await rm(path, { force: true })
    },
  }
}

async function adopt(path: string, keep: ReceivedFile['keep']): Promise<ReceivedFile> {
  await using file = await open(path)
  await file.datasync().catch(throwStorageFull)
  const measure = startMeasure()
  for await (const part of file.createReadStream({ autoClose: false, highWaterMark: READ_CHUNK_BYTES }))
    measure.add(part as Buffer)
  return { ...measure.result(), keep, discard: () => rm(path, { force: true }) }
}

const READ_CHUNK_BYTES = 1024 * 1024

/** Keeps the original: after a crash before the commit, the upload can be imported again. */
async function linkAndMove(writer: FileWriter, path: string, temporary: string, to: string): Promise<void> {
  try {
    await link(path, temporary).catch(async (error: unknown) => {
      if (!NO_LINKS.has((error as NodeJS.ErrnoException).code)) throw error
      await copyFile(path, temporary)
      await using copy = await open(temporary)
      await copy.sync()
    })
    await writer.move(temporary, to)
  } catch (error) {
    await rm(temporary, { force: true })
    throwStorageFull(error)
  }
}

/** Error codes of file systems without hard links, or for links to another volume. */
const NO_LINKS = new Set<unknown>(['EXDEV', 'EPERM', 'ENOTSUP', 'EMLINK'])

async function* namesIn(folder: string): AsyncIterable<string> {
  const entries = await opendir(folder).catch(ignoring('ENOENT'))
  for await (const { name } of entries ?? []) yield name
}

/** A day, because another process can be receiving files now. */
const ABANDONED_AFTER_MS = 24 * 3_600_000

async function removeAbandoned(incoming: string): Promise<void> {
  const limit = Date.now() - ABANDONED_AFTER_MS
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name)
    const age = await stat(path).catch(() => null)
    if (age && age.mtimeMs < limit) await rm(path, { force: true })
  }
}

function throwStorageFull(error: unknown): never {
  throw isDiskFull(error) ? new StorageFull() : error
}
