import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { now, serve } from './children.ts'

/**
 * Responds to every post with 200, but never to one below /hang. It understands just enough HTTP, so that it does not limit a
 * contender: heads that arrive in parts, and bodies with a Content-Length.
 */
const OK = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
const END_OF_HEAD = Buffer.from('\r\n\r\n')
const PATH_AT = 'POST '.length

let responded = 0
let hung = 0
let goal: { count: number; reached(at: number): void } | null = null
let watchedPrefix: string | null = null
let arrivals: [id: string, at: number][] = []

function onConnection(socket: Socket): void {
  let head: Buffer | null = null
  let firstByteAt = 0
  let bodyLeft = 0
  let isHanging = false

  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.on('data', (data: Buffer) => {
    let at = 0
    while (at < data.length) {
      if (bodyLeft === 0) {
        if (watchedPrefix !== null && head === null) firstByteAt = now()
        const rest: Buffer = head === null ? data : Buffer.concat([head, data.subarray(at)])
        if (head !== null) [data, at, head] = [rest, 0, null]
        const end = data.indexOf(END_OF_HEAD, at)
        if (end < 0) {
          head = data.subarray(at)
          return
        }
        const text = data.toString('latin1', at, end)
        at = end + END_OF_HEAD.length
        bodyLeft = Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0)
        isHanging = text.startsWith('/hang', PATH_AT)
        if (watchedPrefix !== null && text.startsWith(watchedPrefix, PATH_AT))
          arrivals.push([idOf(text), firstByteAt])
      }
      const part = Math.min(bodyLeft, data.length - at)
      at += part
      bodyLeft -= part
      if (bodyLeft > 0) return
      if (isHanging) hung++
      else {
        socket.write(OK)
        if (++responded === goal?.count) goal.reached(now())
      }
    }
  })
}

function idOf(head: string): string {
  const found = /\r\nx-service-delivery: *([^\r]+)/i.exec(head) ?? /\r\nwebhook-id: *([^\r]+)/i.exec(head)
  return found?.[1] ?? ''
}

const receiver = {
  async listen(): Promise<string> {
    const server = createServer(onConnection).listen(0, '127.0.0.1', 4096)
    await once(server, 'listening')
    const address = server.address()
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`
  },
  /** Resets the counts and the arrivals. */
  reset(): void {
    responded = 0
    hung = 0
    goal = null
    watchedPrefix = null
    arrivals = []
  },
  count: () => ({ responded, hung }),
  /** Waits for the response to the `count`th post since the reset, and returns its time. */
  reached(count: number): Promise<number> | number {
    if (responded >= count) return now()
    const { promise, resolve } = Promise.withResolvers<number>()
    goal = { count, reached: resolve }
    return promise
  },
  /** From now on, records when the first byte of each post below this path arrives. */
  watch(pathPrefix: string): void {
    watchedPrefix = pathPrefix
  },
  /** The recorded times, with the ids of the deliveries. */
  arrivals: () => arrivals,
}
export type Receiver = typeof receiver

serve(receiver)
