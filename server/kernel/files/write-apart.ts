import { availableParallelism } from 'node:os'
import type { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type { Measured } from './measure.ts'
import { pour } from './pour.ts'
import type { Portion, Taken } from './write-thread.ts'

/** They share the processor with what answers, and each needs 11 MB. */
const THREADS = Math.min(4, Math.ceil(availableParallelism() / 2))

/** Writes and hashes in threads of its own: SHA-256 alone would keep the thread that answers half busy. */
export interface FileWriter {
  /** Writes a stream to an open file. Once it settles, nobody touches the descriptor any more. */
  write(descriptor: number, content: Readable, maxBytes: number): Promise<Measured>
}

export function createFileWriter(): FileWriter {
  const threads = Array.from({ length: THREADS }, createWriteThread)
  let last = 0
  return {
    async write(descriptor, content, maxBytes) {
      const file = ++last
      const thread = threads[file % THREADS] as WriteThread
      try {
        const measured = await pour(content, maxBytes, (parts, isEnd) =>
          thread.take({ file, descriptor, parts, next: isEnd ? 'end' : 'more' }),
        )
        return measured as Measured
      } catch (error) {
        // Answered after all that was asked before it.
        await thread.take({ file, descriptor, parts: [], next: 'abandon' }).catch(() => {})
        throw error
      }
    },
  }
}

interface WriteThread {
  /** Answers at the end. */
  take(portion: Portion): Promise<Measured | undefined>
}

interface RunningThread {
  worker: Worker
  /** Answers come in the order of the questions. */
  asked: PromiseWithResolvers<Measured | undefined>[]
}

/** Made when it is first needed, and again after it broke. Holds the process only while something is being written. */
function createWriteThread(): WriteThread {
  let running: RunningThread | null = null

  function start(): RunningThread {
    const worker = new Worker(new URL('./write-thread.ts', import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 },
    })
    const asked: RunningThread['asked'] = []
    worker.on('message', ({ measured, error }: Taken) => {
      const first = asked.shift()
      if (asked.length === 0) worker.unref()
      if (error) first?.reject(Object.assign(new Error(error.message), { code: error.code }))
      else first?.resolve(measured && withBuffers(measured))
    })
    worker.on('error', (error) => {
      running = null
      for (const { reject } of asked.splice(0)) reject(error)
    })
    return { worker, asked }
  }

  return {
    async take(portion) {
      running ??= start()
      const { worker, asked } = running
      const parts = portion.parts.map(alone)
      worker.postMessage(
        { ...portion, parts },
        parts.map(({ buffer }) => buffer),
      )
      worker.ref()
      const answer = Promise.withResolvers<Measured | undefined>()
      asked.push(answer)
      return answer.promise
    },
  }
}

const withBuffers = ({ bytes, digest, head }: NonNullable<Taken['measured']>): Measured => ({
  bytes,
  digest: Buffer.from(digest.buffer),
  head: Buffer.from(head.buffer),
})

/** Memory can be handed over where it is nobody else's, without a copy. */
const alone = (part: Uint8Array): Uint8Array<ArrayBuffer> =>
  part.buffer instanceof ArrayBuffer && part.buffer.byteLength === part.byteLength
    ? (part as Uint8Array<ArrayBuffer>)
    : new Uint8Array(part)
