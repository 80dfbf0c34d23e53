import { randomUUID } from 'node:crypto'
import { access, constants, copyFile, link, mkdir, open, opendir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createDiskUploads } from './disk-uploads.ts'
import { ignoring, protectTree } from './file-permissions.ts'
import {
  FileExists,
  type FileStore,
  isDiskFull,
  type ReceivedFile,
  requireKey,
  StorageFull,
  type StoredFile,
} from './file-store.ts'
import { createFileWriter, type FileWriter } from './file-writer.ts'
import { type Measured, measureFile } from './measure.ts'
import { NO_LINKS } from './no-links.ts'

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
    isRemote: false,
    receive: async (content, maxBytes, options) => {
      const path = join(incoming, randomUUID())
      const measured = await receive(path, writer.write(path, content, maxBytes, options))
      return { ...measured, ...receivedFile(writer, path, measured, pathOf) }
    },
    uploads: createDiskUploads(uploads, async (path, measured) => {
      const linked = join(incoming, randomUUID())
      await linkOrCopy(path, linked)
      return { ...measured, ...receivedFile(writer, linked, measured, pathOf) }
    }),
    size: (key) => stat(pathOf(key)).then(({ size }) => size, ignoring('ENOENT')),
    read: async (key, range) => {
      const file = await open(pathOf(key))
      return file.createReadStream(range && { start: range.first, end: range.last })
    },
    withPaths: (keys, use) => use(keys.map(pathOf)),
    remove: (key) => rm(pathOf(key), { force: true }),
    removeAll: (prefix) => rm(pathOf(prefix), { recursive: true, force: true }),
    list: (prefix) => namesIn(pathOf(prefix)),
    walk: () => filesBelow(join(folder, FILES), ''),
    removeAbandoned: () => removeAbandoned(incoming),
    check: () => access(incoming, constants.W_OK),
    close: async () => {},
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
  { digest }: Measured,
  pathOf: (key: string) => string,
): Pick<ReceivedFile, 'keep' | 'discard'> {
  return {
    keep: async (key, { replace = false } = {}) => {
      const target = pathOf(key)
      const moved: unknown = await writer.move(path, target, { replace }).catch((error: unknown) => error)
      if ((moved as NodeJS.ErrnoException | undefined)?.code === 'EEXIST') await requireSame(target, digest)
      else if (moved) throwStorageFull(moved)
    },
    discard: () => rm(path, { force: true }),
  }
}

async function requireSame(path: string, digest: Buffer): Promise<void> {
  await using file = await open(path)
  if (!(await measureFile(file)).digest.equals(digest))
    throw new FileExists('A different file is already stored under this key.')
}

/** Keeps the original: after a crash before the commit, the upload can be imported again. */
async function linkOrCopy(path: string, to: string): Promise<void> {
  try {
    await link(path, to).catch(async (error: unknown) => {
      if (!NO_LINKS.has((error as NodeJS.ErrnoException).code)) throw error
      await copyFile(path, to)
      await using copy = await open(to)
      await copy.sync()
    })
  } catch (error) {
    await rm(to, { force: true })
    throwStorageFull(error)
  }
}

async function* namesIn(folder: string): AsyncIterable<string> {
  const entries = await opendir(folder).catch(ignoring('ENOENT'))
  for await (const { name } of entries ?? []) yield name
}

async function* filesBelow(folder: string, prefix: string): AsyncIterable<StoredFile> {
  const entries = await opendir(folder).catch(ignoring('ENOENT'))
  for await (const entry of entries ?? []) {
    const [path, key] = [join(folder, entry.name), `${prefix}${entry.name}`]
    if (entry.isDirectory()) yield* filesBelow(path, `${key}/`)
    const found = entry.isFile() ? await stat(path).catch(ignoring('ENOENT')) : null
    if (found) yield { key, bytes: found.size }
  }
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
