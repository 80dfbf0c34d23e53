import { IncomingMessage } from 'node:http'
import { finished, type Readable } from 'node:stream'
import { FileTooLarge } from './file-store.ts'

/** Takes what there is of a stream, in order; the last time nothing follows. */
export type Take<T> = (parts: Uint8Array[], isEnd: boolean) => Promise<T>

/** A network gives 64 KiB at a time: so much is taken together. */
const PORTION = 256 * 1024
/** But no more parts than this: a request can come byte by byte. */
const MOST_PARTS = 1_000
/** More than these are put together: to hand 60,000 of a byte each to another thread stopped the service for 2 s. */
const FEW_PARTS = 16

/**
 * Reads a stream to its end, by its own events: whoever iterates over a request gets copies, of all parts that wait put
 * together, and a `pipeline` makes and aborts a signal for each. Answers what the last `take` did; rejects with `FileTooLarge`
 * beyond `maxBytes`.
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
    const parts = waiting.length > FEW_PARTS ? [Buffer.concat(waiting)] : waiting
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
    if (waitingBytes < PORTION && waiting.length < MOST_PARTS) return
    content.pause()
    takeWaiting(false).then(() => content.resume(), fail)
  }
  // Tells of one that broke off before anybody listened, too.
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
    letGo(content)
    throw error
  }
}

/** To destroy a request would cut its answer off, too: the rest is read and forgotten. */
function letGo(content: Readable): void {
  content.on('error', () => {})
  if (content instanceof IncomingMessage) content.resume()
  else content.destroy()
}
