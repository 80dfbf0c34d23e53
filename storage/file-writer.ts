import { availableParallelism } from 'node:os'
import type { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import { batchMessages } from './batch-messages.ts'
import type { ReceiveOptions } from './file-store.ts'
import type { Measured } from './measure.ts'
import { pump } from './pump.ts'
import type { WriteCommand, WriteRequest, WriteResponse } from './write-worker.ts'

/**
 * They share the processor with what answers, and each needs 11 MB. Never one alone: where it waits for a core, with a turn
 * of the others' between, everybody waits behind it, and chunks of 120 KiB came in a fifth slower.
 */
const THREADS = Math.min(4, Math.max(2, Math.ceil(availableParallelism() / 2)))

/**
 * Writes, hashes and names files in threads of its own. SHA-256 alone would keep the thread that answers half busy, and the
 * calls that a small file takes would cost it another 0.1 ms.
 */
export interface FileWriter {
  /** Writes a stream to a new file; durable when it resolves. Where it rejects, what is there of it is the caller's to remove. */
  write(path: string, content: Readable, maxBytes: number, options?: ReceiveOptions): Promise<Measured>
  /** Gives a file another name, in place of what had it; durable when it resolves. Makes the folders that are missing. */
  move(from: string, to: string): Promise<void>
}

export function createFileWriter(): FileWriter {
  const threads = Array.from({ length: THREADS }, createWriteThread)
  const threadOf = (n: number) => threads[n % THREADS] as WriteThread
  let files = 0
  let moves = 0
  return {
    async write(path, content, maxBytes, { sha512 = false } = {}) {
      const file = ++files
      const thread = threadOf(file)
      try {
        const measured = await pump(content, maxBytes, (parts, isEnd) =>
          thread.do({ do: 'write', file, path, parts: parts.map(alone), isEnd, sha512 }),
        )
        return measured as Measured
      } catch (error) {
        // Done after all that was asked before it. An end is not under way: nothing can fail between it and its answer.
        await thread.do({ do: 'abandon', file }).catch(() => {})
        throw error
      }
    },
    move: async (from, to) => void (await threadOf(++moves).do({ do: 'move', from, to })),
  }
}

interface WriteThread {
  do(work: WriteCommand): Promise<Measured | undefined>
}

interface RunningThread {
  worker: Worker
  post(order: WriteRequest, memory: ArrayBuffer[]): void
  /** By the orders' ids: what waits for the disk is answered later than what does not. */
  asked: Map<number, PromiseWithResolvers<Measured | undefined>>
}

/** Made when it is first needed, and again after it broke. Holds the process only while something is being written. */
function createWriteThread(): WriteThread {
  let running: RunningThread | null = null
  let last = 0

  function start(): RunningThread {
    const worker = new Worker(new URL('./write-worker.ts', import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 },
    })
    const asked: RunningThread['asked'] = new Map()
    const settle = ({ id, measured, error }: WriteResponse) => {
      const answer = asked.get(id)
      asked.delete(id)
      if (asked.size === 0) worker.unref()
      if (error) answer?.reject(Object.assign(new Error(error.message), error))
      else answer?.resolve(measured && withBuffers(measured))
    }
    worker.on('message', (all: WriteResponse[]) => {
      for (const done of all) settle(done)
    })
    // Whoever waits for an answer holds others up, and must hear that none comes.
    const breakDown = (error: unknown) => {
      if (running?.worker === worker) running = null
      for (const { reject } of asked.values()) reject(error)
      asked.clear()
    }
    worker.on('error', breakDown)
    worker.on('messageerror', breakDown)
    worker.on('exit', () => breakDown(new Error('The writing thread ended.')))
    const post = batchMessages<WriteRequest>((orders, memory) => {
      try {
        worker.postMessage(orders, memory)
      } catch (error) {
        // Memory that can't be handed over: nobody would ever answer these.
        const { message } = error as Error
        for (const { id } of orders) settle({ id, error: { code: undefined, errno: undefined, message } })
      }
    })
    return { worker, post, asked }
  }

  return {
    async do(work) {
      running ??= start()
      const { worker, post, asked } = running
      const answer = Promise.withResolvers<Measured | undefined>()
      const id = ++last
      if (asked.size === 0) worker.ref()
      asked.set(id, answer)
      post({ id, ...work }, work.do === 'write' ? work.parts.map(({ buffer }) => buffer) : [])
      return answer.promise
    },
  }
}

const withBuffers = ({ bytes, digest, sha512, head }: NonNullable<WriteResponse['measured']>): Measured => ({
  bytes,
  digest: Buffer.from(digest.buffer),
  sha512: sha512 && Buffer.from(sha512.buffer),
  head: Buffer.from(head.buffer),
})

/** Memory can be handed over where it is nobody else's, without a copy. */
const alone = (part: Uint8Array): Uint8Array<ArrayBuffer> =>
  part.buffer instanceof ArrayBuffer && part.buffer.byteLength === part.byteLength
    ? (part as Uint8Array<ArrayBuffer>)
    : new Uint8Array(part)
