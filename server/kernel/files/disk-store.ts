import { createHash, randomUUID } from 'node:crypto'
import {
  copyFile,
  type FileHandle,
  link,
  mkdir,
  open,
  opendir,
  readdir,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  type FileStore,
  FileTooLarge,
  HEAD_BYTES,
  type ReceivedFile,
  requireKey,
  StorageFull,
} from './file-store.ts'

const INCOMING = 'incoming'

/** Files below a folder. A file appears under its name whole or not at all, and stays after a power cut. */
export async function openDiskStore(folder: string): Promise<FileStore> {
  const incoming = join(folder, INCOMING)
  const uploads = join(folder, 'uploads')
  for (const place of [incoming, uploads]) await mkdir(place, { recursive: true })
  await removeAbandoned(incoming)
  const pathOf = (key: string): string => {
    requireKey(key)
    return join(folder, 'files', key)
  }
  return {
    receive: (content, maxBytes) => receive(join(incoming, randomUUID()), content, maxBytes, pathOf),
    uploads,
    adopt: (path) => adopt(path, (key) => giveName(path, join(incoming, randomUUID()), pathOf(key))),
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
  }
}

async function receive(
  path: string,
  content: AsyncIterable<Uint8Array>,
  maxBytes: number,
  pathOf: (key: string) => string,
): Promise<ReceivedFile> {
  const file = await open(path, 'wx').catch(asFull)
  try {
    const received = await write(file, content, maxBytes)
    await file.datasync().catch(asFull)
    return {
      ...received,
      keep: (key) => moveTo(path, pathOf(key)),
      discard: () => rm(path, { force: true }),
    }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

/** A network gives 64 KiB at a time; each write takes a turn of the thread pool, so that a few are written together. */
const WRITE_AT_ONCE = 512 * 1024

async function write(file: FileHandle, content: AsyncIterable<Uint8Array>, maxBytes: number) {
  const measure = startMeasure()
  let waiting: Uint8Array[] = []
  let written = 0
  for await (const part of content) {
    const received = measure.add(part)
    if (received > maxBytes) throw new FileTooLarge()
    waiting.push(part)
    if (received - written < WRITE_AT_ONCE) continue
    await writeAll(file, waiting).catch(asFull)
    waiting = []
    written = received
  }
  await writeAll(file, waiting).catch(asFull)
  return measure.result()
}

async function writeAll(file: FileHandle, parts: Uint8Array[]): Promise<void> {
  if (parts.length === 0) return
  const { bytesWritten } = await file.writev(parts)
  if (bytesWritten === parts.reduce((sum, { byteLength }) => sum + byteLength, 0)) return
  // A disk that is nearly full takes some of it; the rest tells why.
  const rest = Buffer.concat(parts).subarray(bytesWritten)
  for (let done = 0; done < rest.byteLength; ) done += (await file.write(rest, done)).bytesWritten
}

/** What there is to know of bytes that pass by; `add` answers how many there were. */
function startMeasure() {
  const hash = createHash('sha256')
  const head: Uint8Array[] = []
  let bytes = 0
  return {
    add(part: Uint8Array): number {
      if (bytes < HEAD_BYTES) head.push(part.subarray(0, HEAD_BYTES - bytes))
      bytes += part.byteLength
      hash.update(part)
      return bytes
    },
    result: () => ({ bytes, digest: hash.digest(), head: Buffer.concat(head) }),
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
async function giveName(path: string, between: string, to: string): Promise<void> {
  await link(path, between).catch(async (error: unknown) => {
    if (!NO_LINKS.has(codeOf(error))) asFull(error)
    await copyFile(path, between).catch(asFull)
    await syncPath(between)
  })
  await moveTo(between, to)
}

/** As filesystems say that they can't: another volume, or one that knows no second names. */
const NO_LINKS = new Set<unknown>(['EXDEV', 'EPERM', 'ENOTSUP', 'EMLINK'])

/** The name is durable only when its folder is. */
async function moveTo(from: string, to: string): Promise<void> {
  const folder = dirname(to)
  const first = await mkdir(folder, { recursive: true }).catch(asFull)
  await rename(from, to).catch(asFull)
  await syncPath(folder)
  for (let parent = folder; first !== undefined && parent.length >= first.length; parent = dirname(parent)) {
    await syncPath(dirname(parent))
  }
}

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
const NO_ROOM = new Set<unknown>(['ENOSPC', 'EDQUOT'])

function asFull(error: unknown): never {
  throw NO_ROOM.has(codeOf(error)) ? new StorageFull() : error
}

function orNothing<T>(error: unknown, nothing: T): T {
  if (codeOf(error) === 'ENOENT') return nothing
  throw error
}
