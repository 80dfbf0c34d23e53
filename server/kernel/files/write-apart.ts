import { availableParallelism } from 'node:os'
import type { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import { FileTooLarge } from './file-store.ts'
import type { Portion, Taken } from './write-thread.ts'

/** A network gives 64 KiB at a time: so much is handed over together. */
const PORTION = 256 * 1024
/** They share the processor with what answers, and each needs 11 MB. */
const THREADS = Math.min(4, Math.ceil(availableParallelism() / 2))

type Written = NonNullable<Taken['written']>

/** Writes streams to new files, in threads of its own: hashing alone would keep the thread that answers half busy. */
export interface FileWriter {
  /**
   * Resolves when all is written, though not yet on the disk; the descriptor is the caller's to close. When it rejects, what
   * there is of the file is the caller's to remove.
   */
  write(path: string, content: Readable, maxBytes: number): Promise<Written>
}

export function createFileWriter(): FileWriter {
  const threads = Array.from({ length: THREADS }, createWriteThread)
  let last = 0
  return {
    async write(path, content, maxBytes) {
      const file = ++last
      const thread = threads[file % THREADS] as WriteThread
      const give: Give = (parts, next) => thread.take({ file, path, parts, next })
      try {
        return await pour(content, maxBytes, give)
      } catch (error) {
        await give([], 'abandon').catch(() => {})
        throw error
      }
    },
  }
}

type Give = (parts: Uint8Array[], next: Portion['next']) => Promise<Written | undefined>

/**
 * By the stream's own events: whoever iterates over a request gets copies, of all parts that wait put together, and a
 * `pipeline` makes and aborts a signal for each.
 */
async function pour(content: Readable, maxBytes: number, give: Give): Promise<Written> {
  const { promise, resolve, reject } = Promise.withResolvers<Written>()
  let waiting: Uint8Array[] = []
  let bytes = 0
  let given = 0
  const giveWaiting = (next: Portion['next']) => {
    const parts = waiting
    waiting = []
    given = bytes
    return give(parts, next)
  }
  content.on('data', (part: Uint8Array) => {
    waiting.push(part)
    bytes += part.byteLength
    if (bytes > maxBytes) reject(new FileTooLarge())
    if (bytes - given < PORTION) return
    content.pause()
    giveWaiting('more').then(() => content.resume(), reject)
  })
  content.on('end', () => void giveWaiting('end').then((written) => resolve(written as Written), reject))
  content.on('error', reject)
  content.on('close', () => {
    if (!content.readableEnded) reject(new Error('the content broke off'))
  })
  try {
    return await promise
  } catch (error) {
    content.destroy()
    throw error
  }
}

interface WriteThread {
  take(portion: Portion): Promise<Written | undefined>
}

/** Made when it is first needed, and again after it broke. Holds the process only while something is being written. */
function createWriteThread(): WriteThread {
  /** Answers come in the order of the questions. */
  const waiting: PromiseWithResolvers<Written | undefined>[] = []
  let worker: Worker | null = null

  function start(): Worker {
    const started = new Worker(new URL('./write-thread.ts', import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 },
      // Descriptors are opened there and closed here.
      trackUnmanagedFds: false,
    })
    started.on('message', ({ written, error }: Taken) => {
      const asked = waiting.shift()
      if (waiting.length === 0) started.unref()
      if (error) asked?.reject(Object.assign(new Error(error.message), { code: error.code }))
      else asked?.resolve(written)
    })
    started.on('error', (error) => {
      worker = null
      for (const asked of waiting.splice(0)) asked.reject(error)
    })
    return started
  }

  return {
    take(portion) {
      const asked = Promise.withResolvers<Written | undefined>()
      waiting.push(asked)
      worker ??= start()
      worker.ref()
      const parts = portion.parts.map(alone)
      worker.postMessage(
        { ...portion, parts },
        parts.map(({ buffer }) => buffer),
      )
      return asked.promise
    },
  }
}

/** Memory can be handed over where it is nobody else's, without a copy. */
const alone = (part: Uint8Array): Uint8Array<ArrayBuffer> =>
  part.buffer instanceof ArrayBuffer && part.buffer.byteLength === part.byteLength
    ? (part as Uint8Array<ArrayBuffer>)
    : new Uint8Array(part)
