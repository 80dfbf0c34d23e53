import { once } from 'node:events'
import type { FastifyReply } from 'fastify'

/** Server-sent events to one client. */
export interface EventStream {
  /** Resolves when there is room for more: a client that does not read must not fill the memory. */
  send(event: { id: string; type: string; data: string }): Promise<void>
  /** Aborted when the client has gone, lost its rights, or the service stops. */
  signal: AbortSignal
  end(): void
}

/** Proxies cut connections that say nothing for a minute. */
const HEARTBEAT_MS = 15_000
/** Clients are promised at most 60 s. */
const CHECK_MS = 30_000
/** Each check comes up to so much earlier: streams that were opened together must not be checked together ever after. */
const CHECK_JITTER = 0.4

/** A client that has read nothing for so long gives its place to others; it may come back and say where it stopped. */
const PATIENCE_MS = 60_000
/** Until then an ended stream may carry what was sent last; a client that does not read would keep it open for ever. */
const LINGER_MS = 2_000

/** Takes the reply over. `mayGoOn` is asked again and again, since a stream outlives the check at its beginning. */
export function openEventStream(
  reply: FastifyReply,
  mayGoOn: () => Promise<boolean>,
  patienceMs = PATIENCE_MS,
): EventStream {
  const over = new AbortController()
  const { raw } = reply
  reply.hijack()
  raw.writeHead(200, {
    ...headersOf(reply),
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
  })
  raw.write(': welcome\n\n')
  const heartbeat = setInterval(() => raw.writableNeedDrain || raw.write(': still here\n\n'), HEARTBEAT_MS)
  let check = setTimeout(checkAgain, nextCheckMs())

  function checkAgain(): void {
    void mayGoOn().then((may) => {
      if (!may) end()
      else if (!over.signal.aborted) check = setTimeout(checkAgain, nextCheckMs())
    })
  }
  function end(): void {
    if (over.signal.aborted) return
    clearInterval(heartbeat)
    clearTimeout(check)
    over.abort()
    raw.end()
    const linger = setTimeout(() => raw.destroy(), LINGER_MS)
    raw.once('close', () => clearTimeout(linger))
  }
  async function hasRoom(): Promise<void> {
    const impatient = setTimeout(end, patienceMs)
    await once(raw, 'drain', { signal: over.signal }).finally(() => clearTimeout(impatient))
  }

  raw.on('close', end)
  // Without a listener a connection that breaks in the middle of a write would end the process.
  raw.on('error', end)
  return {
    async send({ id, type, data }) {
      // It may have ended while this was being read.
      if (over.signal.aborted) return
      if (!raw.write(`id: ${id}\nevent: ${type}\ndata: ${data}\n\n`)) await hasRoom()
    },
    signal: over.signal,
    end,
  }
}

const nextCheckMs = (): number => CHECK_MS * (1 - CHECK_JITTER * Math.random())

const headersOf = (reply: FastifyReply): Record<string, string> =>
  Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]))
