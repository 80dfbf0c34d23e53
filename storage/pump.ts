import { IncomingMessage } from 'node:http'
import { finished, type Readable } from 'node:stream'
import { FileTooLarge } from './file-store.ts'

/** Receives the chunks of a stream in order. */
export type Take<T> = (parts: Uint8Array[], isEnd: boolean) => Promise<T>

/** Sockets deliver 64 KiB at a time; this much is passed on together. */
const BATCH_BYTES = 256 * 1024
/** A client can send byte by byte. */
const MAX_PARTS = 1_000
/** More parts are concatenated: transferring 60,000 parts of one byte to another thread blocked the service for 2 s. */
const MAX_SEPARATE_PARTS = 16

/**
 * Reads a stream to its end by its events: iterating over a request copies and joins its chunks, and `pipeline` creates and
 * aborts a signal for each request. Returns the result of the last `take`; rejects with `FileTooLarge` beyond `maxBytes`.
 */
export async function pump<T>(content: Readable, maxBytes: number, take: Take<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  let bytes = 0
  let isOver = false
  const fail = (error: unknown) => {
    isOver = true
    reject(error)
  }
  const takeWaiting = async (isEnd: boolean): Promise<T> => {
    const parts = waiting.length > MAX_SEPARATE_PARTS ? [Buffer.concat(waiting)] : waiting
    waiting = []
    waitingBytes = 0
    return take(parts, isEnd)
  }
  const onData = (part: Uint8Array) => {
    if (isOver) return
    bytes += part.byteLength
    if (bytes > maxBytes) {
      fail(new FileTooLarge())
      return
    }
    waiting.push(part)
    waitingBytes += part.byteLength
    if (waitingBytes < BATCH_BYTES && waiting.length < MAX_PARTS) return
    content.pause()
    takeWaiting(false).then(() => content.resume(), fail)
  }
  // `finished` also reports a stream that failed before the listener was added.
  const stopWatching = finished(content, { writable: false }, (error) => {
    if (error) fail(error)
    else if (!isOver) takeWaiting(true).then(resolve, fail)
  })
  content.on('data', onData)
  try {
    return await promise
  } catch (error) {
    stopWatching()
    content.off('data', onData)
    drainOrDestroy(content)
    throw error
  }
}

/** Destroying a request would destroy its response too, so the rest is read and discarded. */
function drainOrDestroy(content: Readable): void {
  content.on('error', () => {})
  if (content instanceof IncomingMessage) content.resume()
  else content.destroy()
}
