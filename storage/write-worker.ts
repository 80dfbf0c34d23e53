import {
  closeSync,
  fdatasync,
  fsync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  unlinkSync,
  writevSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { parentPort } from 'node:worker_threads'
import { batchMessages } from './batch-messages.ts'
import { type Measure, type Measured, startMeasure } from './measure.ts'
import { NO_LINKS } from './no-links.ts'

/** Commands for one file are executed in order. `file` is an id for it. */
export type WriteCommand = Write | Abandon | Move
export type WriteRequest = WriteCommand & { id: number }

/** Appends to a file; the first write creates it. The last one makes it durable and returns its measures. */
interface Write {
  type: 'write'
  file: number
  path: string
  parts: Uint8Array<ArrayBuffer>[]
  isEnd: boolean
  /** Used by the first write: whether to compute SHA-512 too. */
  sha512: boolean
}
/** Closes a file that stays incomplete. */
type Abandon = { type: 'abandon'; file: number }
type Move = { type: 'move'; from: string; to: string; replace: boolean }

/** Buffers become plain arrays between threads. */
type TransferredMeasures = Record<'digest' | 'head', Uint8Array<ArrayBuffer>> &
  Pick<Measured, 'bytes'> & { sha512: Uint8Array<ArrayBuffer> | null }

export interface WriteResponse {
  id: number
  measured?: TransferredMeasures | undefined
  error?: { code: string | undefined; errno: number | undefined; message: string }
}

const files = new Map<number, { descriptor: number; measure: Measure }>()

// Only waiting for the disk uses Node's thread pool. Other calls are synchronous: through the pool each takes 20 to 30 µs
// longer, and a small file needs six of them.
const syncContent = promisify(fdatasync)
const sync = promisify(fsync)

const respond = batchMessages<WriteResponse>((responses) => parentPort?.postMessage(responses))

parentPort?.on('message', (requests: WriteRequest[]) => {
  for (const request of requests) void handle(request).then(respond)
})

async function handle({ id, ...command }: WriteRequest): Promise<WriteResponse> {
  try {
    return { id, measured: await execute(command) }
  } catch (error) {
    const { code, errno, message } = error as NodeJS.ErrnoException
    return { id, error: { code, errno, message } }
  }
}

async function execute(command: WriteCommand): Promise<TransferredMeasures | undefined> {
  if (command.type === 'write') return write(command)
  if (command.type === 'move') await move(command)
  else abandon(command)
  return undefined
}

async function write({ file, path, parts, isEnd, sha512 }: Write): Promise<TransferredMeasures | undefined> {
  const { descriptor, measure } = files.get(file) ?? open(file, path, sha512)
  writeAll(descriptor, parts)
  for (const part of parts) measure.add(part)
  freeMemory(parts)
  if (!isEnd) return undefined
  files.delete(file)
  try {
    await syncContent(descriptor)
  } finally {
    closeSync(descriptor)
  }
  return transferable(measure.result())
}

function open(file: number, path: string, sha512: boolean) {
  const opened = { descriptor: openSync(path, 'wx', 0o600), measure: startMeasure({ sha512 }) }
  files.set(file, opened)
  return opened
}

function abandon({ file }: Abandon): void {
  const opened = files.get(file)
  files.delete(file)
  if (opened) closeSync(opened.descriptor)
}

/** A rename is durable only when its folder is synced. */
async function move({ from, to, replace }: Move): Promise<void> {
  const folder = dirname(to)
  const rename = replace ? renameSync : renameNew
  try {
    rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await makeFolder(folder)
    rename(from, to)
  }
  await syncFolder(folder)
}

/** Fails if the target exists, where the file system has hard links. */
function renameNew(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code)) throw error
    renameSync(from, to)
    return
  }
  unlinkSync(from)
}

/** Another thread can use the folder before its parents are synced: ext4, XFS and Btrfs make those durable with the folder. */
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

/** Copies out of Node's buffer pool, which would otherwise be transferred as a whole. */
const transferable = ({ bytes, digest, sha512, head }: Measured): TransferredMeasures => ({
  bytes,
  digest: new Uint8Array(digest),
  sha512: sha512 && new Uint8Array(sha512),
  head: new Uint8Array(head),
})

/** On a nearly full disk, only a part is written; writing the rest then fails with the reason. */
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

/** Frees memory now instead of at the next garbage collection. */
function freeMemory(parts: Uint8Array[]): void {
  for (const { buffer } of parts) (buffer as ArrayBuffer).transfer(0)
}
