import { randomUUID } from 'node:crypto'
import { copyFile, link, mkdir, open, opendir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { protectTree } from './file-permissions.ts'
import { type FileStore, isDiskFull, type ReceivedFile, requireKey, StorageFull } from './file-store.ts'
import { createFileWriter, type FileWriter } from './file-writer.ts'
import { type Measured, startMeasure } from './measure.ts'

const INCOMING = 'incoming'
const UPLOADS = 'uploads'
const FILES = 'files'

/** Before the store is opened: what earlier versions stored there could be read by every account of the machine. */
export const protectDiskStore = (folder: string): ReturnType<typeof protectTree> =>
  protectTree(folder, [INCOMING, UPLOADS, FILES])

/** Files below a folder. A file appears under its name whole or not at all, and stays after a power cut. */
export async function openDiskStore(folder: string): Promise<FileStore> {
  const incoming = join(folder, INCOMING)
  const uploads = join(folder, UPLOADS)
  for (const place of [incoming, uploads]) await mkdir(place, { recursive: true, mode: 0o700 })
  const writer = createFileWriter()
  const pathOf = (key: string): string => {
    requireKey(key)
    return join(folder, FILES, key)
  }
  return {
    receive: async (content, maxBytes, options) => {
      const path = join(incoming, randomUUID())
      const measured = await receive(path, writer.write(path, content, maxBytes, options))
      return { ...measured, ...nameless(writer, path, pathOf) }
    },
    uploads,
    adopt: (path) => adopt(path, (key) => giveName(writer, path, join(incoming, randomUUID()), pathOf(key))),
    size: (key) =>
      stat(pathOf(key)).then(
        ({ size }) => size,
        (error: unknown) => orNothing(error, null),
      ),
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

/** Nothing is left behind of a file that did not arrive whole. */
async function receive(path: string, writing: Promise<Measured>): Promise<Measured> {
  try {
    return await writing.catch(asFull)
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

function nameless(
  writer: FileWriter,
  path: string,
  pathOf: (key: string) => string,
): Pick<ReceivedFile, 'keep' | 'discard'> {
  let isKept = false
  return {
    keep: async (key) => {
      await writer.move(path, pathOf(key)).catch(asFull)
      isKept = true
    },
    discard: async () => {
      if (!isKept) await rm(path, { force: true })
    },
  }
}

async function adopt(path: string, keep: ReceivedFile['keep']): Promise<ReceivedFile> {
  const file = await open(path)
  try {
    await file.datasync().catch(asFull)
    const measure = startMeasure()
    for await (const part of file.createReadStream({ autoClose: false, highWaterMark: READ_AT_ONCE }))
      measure.add(part as Buffer)
    return { ...measure.result(), keep, discard: () => rm(path, { force: true }) }
  } finally {
    await file.close()
  }
}

const READ_AT_ONCE = 1024 * 1024

/** A second name, so that whoever dies before their transaction commits finds the first one and does it again. */
async function giveName(writer: FileWriter, path: string, between: string, to: string): Promise<void> {
  try {
    await link(path, between).catch(async (error: unknown) => {
      if (!NO_LINKS.has(codeOf(error))) throw error
      await copyFile(path, between)
      await syncPath(between)
    })
    await writer.move(between, to)
  } catch (error) {
    await rm(between, { force: true })
    asFull(error)
  }
}

/** As filesystems say that they can't: another volume, or one that knows no second names. */
const NO_LINKS = new Set<unknown>(['EXDEV', 'EPERM', 'ENOTSUP', 'EMLINK'])

async function syncPath(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function* namesIn(folder: string): AsyncIterable<string> {
  const entries = await opendir(folder).catch((error: unknown) => orNothing(error, null))
  for await (const { name } of entries ?? []) yield name
}

/** What a killed process left half-written is nobody's. A day, since another process may be receiving right now. */
const ABANDONED_AFTER_MS = 24 * 3_600_000

async function removeAbandoned(incoming: string): Promise<void> {
  const limit = Date.now() - ABANDONED_AFTER_MS
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name)
    const age = await stat(path).catch(() => null)
    if (age && age.mtimeMs < limit) await rm(path, { force: true })
  }
}

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code

function asFull(error: unknown): never {
  throw isDiskFull(error) ? new StorageFull() : error
}

function orNothing<T>(error: unknown, nothing: T): T {
  if (codeOf(error) === 'ENOENT') return nothing
  throw error
}
