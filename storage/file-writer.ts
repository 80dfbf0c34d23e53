import { availableParallelism } from 'node:os'
import type { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import { compileCacheVariable } from '../platform/programs/compile-cache.ts'
import { batchMessages } from './batch-messages.ts'
import type { ReceiveOptions } from './file-store.ts'
import type { Measured } from './measure.ts'
import { pump } from './pump.ts'
import type { WriteCommand, WriteRequest, WriteResponse } from './write-worker.ts'

/** Each needs 11 MB. At least two: with one that waited for a core, chunks of 120 KiB took a fifth longer. */
const THREADS = Math.min(4, Math.max(2, Math.ceil(availableParallelism() / 2)))

/**
 * Writes, hashes and renames files in worker threads. SHA-256 alone would take half of the main thread's time, and the
 * system calls for a small file another 0.1 ms.
 */
export interface FileWriter {
  /** Writes a stream to a new file. Durable when it resolves. After a rejection the caller removes the file. */
  write(path: string, content: Readable, maxBytes: number, options?: ReceiveOptions): Promise<Measured>
  /** A new file that the caller writes part by part. */
  open(path: string, options?: ReceiveOptions): OpenFile
  /**
   * Renames a file and creates missing folders. Durable when it resolves. Replaces an existing file, or rejects with `EEXIST`, as
   * `replace` says.
   */
  move(from: string, to: string, options: { replace: boolean }): Promise<void>
}

export interface OpenFile {
  /** The call with `isEnd` makes the file durable and returns its measures. The parts are transferred. */
  write(parts: Uint8Array[], isEnd: boolean): Promise<Measured | undefined>
  /** Closes a file that stays incomplete. */
  abandon(): Promise<void>
}

export function createFileWriter(): FileWriter {
  const threads = Array.from({ length: THREADS }, createWriteThread)
  const threadOf = (n: number) => threads[n % THREADS] as (typeof threads)[number]
  let files = 0
  let moves = 0
  const open: FileWriter['open'] = (path, { sha512 = false } = {}) => {
    const file = ++files
    const thread = threadOf(file)
    return {
      write: (parts, isEnd) =>
        thread.run({ type: 'write', file, path, parts: parts.map(ownMemory), isEnd, sha512 }),
      // Runs after all earlier requests. No request with `isEnd` is pending: nothing can fail between it and its response.
      abandon: async () => void (await thread.run({ type: 'abandon', file }).catch(() => {})),
    }
  }
  return {
    open,
    async write(path, content, maxBytes, options) {
      const file = open(path, options)
      try {
        return (await pump(content, maxBytes, file.write)) as Measured
      } catch (error) {
        await file.abandon()
        throw error
      }
    },
    move: async (from, to, { replace }) =>
      void (await threadOf(++moves).run({ type: 'move', from, to, replace })),
  }
}

interface RunningThread {
  worker: Worker
  post(request: WriteRequest, memory: ArrayBuffer[]): void
  /** By request id: responses can come in another order. */
  pending: Map<number, PromiseWithResolvers<Measured | undefined>>
}

/** Started on first use, and again after a crash. Keeps the process alive only while requests are pending. */
function createWriteThread() {
  let running: RunningThread | null = null
  let last = 0

  function start(): RunningThread {
    const worker = new Worker(new URL('./write-worker.ts', import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 },
      env: compileCacheVariable(),
    })
    const pending: RunningThread['pending'] = new Map()
    const settle = ({ id, measured, error }: WriteResponse) => {
      const response = pending.get(id)
      pending.delete(id)
      if (pending.size === 0) worker.unref()
      if (error) response?.reject(Object.assign(new Error(error.message), error))
      else response?.resolve(measured && withBuffers(measured))
    }
    worker.on('message', (responses: WriteResponse[]) => {
      for (const response of responses) settle(response)
    })
    const rejectAll = (error: unknown) => {
      if (running?.worker === worker) running = null
      for (const { reject } of pending.values()) reject(error)
      pending.clear()
    }
    worker.on('error', rejectAll)
    worker.on('messageerror', rejectAll)
    worker.on('exit', () => rejectAll(new Error('The file writer thread exited.')))
    const post = batchMessages<WriteRequest>((requests, memory) => {
      try {
        worker.postMessage(requests, memory)
      } catch (error) {
        // Memory that can't be transferred: these requests would never get a response.
        const { message } = error as Error
        for (const { id } of requests) settle({ id, error: { code: undefined, errno: undefined, message } })
      }
    })
    return { worker, post, pending }
  }

  return {
    async run(command: WriteCommand): Promise<Measured | undefined> {
      running ??= start()
      const { worker, post, pending } = running
      const response = Promise.withResolvers<Measured | undefined>()
      const id = ++last
      if (pending.size === 0) worker.ref()
      pending.set(id, response)
      post({ id, ...command }, command.type === 'write' ? command.parts.map(({ buffer }) => buffer) : [])
      return response.promise
    },
  }
}

const withBuffers = ({ bytes, digest, sha512, head }: NonNullable<WriteResponse['measured']>): Measured => ({
  bytes,
  digest: Buffer.from(digest.buffer),
  sha512: sha512 && Buffer.from(sha512.buffer),
  head: Buffer.from(head.buffer),
})

/** Memory that the part does not share can be transferred without a copy. */
const ownMemory = (part: Uint8Array): Uint8Array<ArrayBuffer> =>
  part.buffer instanceof ArrayBuffer && part.buffer.byteLength === part.byteLength
    ? (part as Uint8Array<ArrayBuffer>)
    : new Uint8Array(part)
