import { closeSync, fdatasync, fsync, mkdirSync, openSync, renameSync, writevSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { parentPort } from 'node:worker_threads'
import { batchMessages } from './batch-messages.ts'
import { type Measure, type Measured, startMeasure } from './measure.ts'

/** What is to be done with files; for one file, in the order in which it is asked. */
export type WriteCommand = Write | Abandon | Move
export type WriteRequest = WriteCommand & { id: number }

/** More of a file, which the first of it makes. The end makes it durable, and is answered with its measures. */
interface Write {
  do: 'write'
  /** Tells files apart. */
  file: number
  path: string
  parts: Uint8Array<ArrayBuffer>[]
  isEnd: boolean
  /** Of the file's first write: whether SHA-512 is computed beside SHA-256. */
  sha512: boolean
}

/** No more of it comes. */
interface Abandon {
  do: 'abandon'
  file: number
}

/** Another name, in place of what had it. Makes the folders that are missing. */
interface Move {
  do: 'move'
  from: string
  to: string
}

/** What is left of buffers on their way between threads. */
type Moved = Record<'digest' | 'head', Uint8Array<ArrayBuffer>> &
  Pick<Measured, 'bytes'> & { sha512: Uint8Array<ArrayBuffer> | null }

/** One for each order. */
export interface WriteResponse {
  id: number
  measured?: Moved | undefined
  error?: { code: string | undefined; errno: number | undefined; message: string }
}

interface OpenFile {
  descriptor: number
  measure: Measure
}

const files = new Map<number, OpenFile>()

// To wait for the disk is left to Node's pool, so that others go on meanwhile. All else is done here and now: by way of the
// pool each call cost 20 to 30 µs more, and a small file takes six of them.
const syncContent = promisify(fdatasync)
const sync = promisify(fsync)

const tell = batchMessages<WriteResponse>((all) => parentPort?.postMessage(all))

parentPort?.on('message', (orders: WriteRequest[]) => {
  for (const order of orders) void serve(order)
})

async function serve(order: WriteRequest): Promise<void> {
  tell(await answer(order))
}

async function answer({ id, ...work }: WriteRequest): Promise<WriteResponse> {
  try {
    return { id, measured: await carryOut(work) }
  } catch (error) {
    const { code, errno, message } = error as NodeJS.ErrnoException
    return { id, error: { code, errno, message } }
  }
}

async function carryOut(work: WriteCommand): Promise<Moved | undefined> {
  if (work.do === 'write') return write(work)
  if (work.do === 'move') await move(work)
  else abandon(work)
  return undefined
}

async function write({ file, path, parts, isEnd, sha512 }: Write): Promise<Moved | undefined> {
  const { descriptor, measure } = files.get(file) ?? open(file, path, sha512)
  writeAll(descriptor, parts)
  for (const part of parts) measure.add(part)
  giveBack(parts)
  if (!isEnd) return undefined
  files.delete(file)
  try {
    await syncContent(descriptor)
  } finally {
    closeSync(descriptor)
  }
  return movable(measure.result())
}

function open(file: number, path: string, sha512: boolean): OpenFile {
  const opened = { descriptor: openSync(path, 'wx', 0o600), measure: startMeasure({ sha512 }) }
  files.set(file, opened)
  return opened
}

function abandon({ file }: Abandon): void {
  const opened = files.get(file)
  files.delete(file)
  if (opened) closeSync(opened.descriptor)
}

/** The name is durable only when its folder is. */
async function move({ from, to }: Move): Promise<void> {
  const folder = dirname(to)
  try {
    renameSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await makeFolder(folder)
    renameSync(from, to)
  }
  await syncFolder(folder)
}

/**
 * A name that another thread puts into the folder meanwhile relies on the file system, where syncing a folder makes those
 * above it durable that were made before, as ext4, XFS and Btrfs do.
 */
async function makeFolder(folder: string): Promise<void> {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

async function syncFolder(path: string): Promise<void> {
  const descriptor = openSync(path, 'r')
  try {
    await sync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** In memory of its own: a view into Node's pool would take the whole pool along to another thread. */
const movable = ({ bytes, digest, sha512, head }: Measured): Moved => ({
  bytes,
  digest: new Uint8Array(digest),
  sha512: sha512 && new Uint8Array(sha512),
  head: new Uint8Array(head),
})

/** A disk that is nearly full takes some of it; the rest tells why. */
function writeAll(descriptor: number, parts: Uint8Array[]): void {
  let rest = parts.filter(({ byteLength }) => byteLength > 0)
  while (rest.length > 0) rest = after(rest, writevSync(descriptor, rest))
}

function after(parts: Uint8Array[], written: number): Uint8Array[] {
  let skipped = written
  const rest = parts.filter(({ byteLength }) => {
    const isWritten = byteLength <= skipped
    if (isWritten) skipped -= byteLength
    return !isWritten
  })
  return skipped === 0 ? rest : [(rest[0] as Uint8Array).subarray(skipped), ...rest.slice(1)]
}

/** The memory of what is written, now and not when V8 gets to it. */
function giveBack(parts: Uint8Array[]): void {
  for (const { buffer } of parts) (buffer as ArrayBuffer).transfer(0)
}
