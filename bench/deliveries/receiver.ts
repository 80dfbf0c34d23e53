import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { now, serve } from './children.ts'

/**
 * Responds to every post with 200, except below /hang, where it never responds. As little HTTP as it takes, so that
 * it is never what limits a contender: heads in one piece or several, and bodies with a Content-Length.
 */
const OK = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
const END_OF_HEAD = Buffer.from('\r\n\r\n')
const PATH_AT = 'POST '.length

let answered = 0
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
        if (++answered === goal?.count) goal.reached(now())
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
  /** Counts from zero again, and forgets what it had watched. */
  reset(): void {
    answered = 0
    hung = 0
    goal = null
    watchedPrefix = null
    arrivals = []
  },
  count: () => ({ answered, hung }),
  /** When the `count`th post since the reset was answered; waits for it. */
  reached(count: number): Promise<number> | number {
    if (answered >= count) return now()
    const { promise, resolve } = Promise.withResolvers<number>()
    goal = { count, reached: resolve }
    return promise
  },
  /** Notes, from now on, when the first byte of each post below this path arrives. */
  watch(pathPrefix: string): void {
    watchedPrefix = pathPrefix
  },
  /** What was noted, by the delivery's id. */
  arrivals: () => arrivals,
}
export type Receiver = typeof receiver

serve(receiver)
