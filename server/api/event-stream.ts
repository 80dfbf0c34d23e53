import { once } from 'node:events'
import type { FastifyReply } from 'fastify'

/** Server-sent events to one client. */
export interface EventStream {
  /** Resolves when the socket accepts more: a client that does not read must not fill the memory. */
  send(event: { id: string; type: string; data: string }): Promise<void>
  /** Aborted when the client disconnects or loses its rights, or the service stops. */
  signal: AbortSignal
  end(): void
}

/** Proxies close connections that are idle for a minute. */
const HEARTBEAT_MS = 15_000
/** The documentation promises 60 s. */
const CHECK_INTERVAL_MS = 30_000
/** Each check runs up to this share earlier, so that streams opened together are not checked together. */
const CHECK_JITTER = 0.4

/** A client that reads nothing for this time is disconnected. It can reconnect and name its last event. */
const IDLE_TIMEOUT_MS = 60_000
/** Time for the last events of an ended stream to arrive. Without it a client that does not read would keep the socket open. */
const LINGER_MS = 2_000

/** Takes the reply over. `isStillAuthorized` is called periodically, because a stream outlives the first access check. */
export function openEventStream(
  reply: FastifyReply,
  isStillAuthorized: () => Promise<boolean>,
  idleTimeoutMs = IDLE_TIMEOUT_MS,
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
    void isStillAuthorized().then((isAuthorized) => {
      if (!isAuthorized) end()
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
  async function waitForDrain(): Promise<void> {
    const timeout = setTimeout(end, idleTimeoutMs)
    await once(raw, 'drain', { signal: over.signal }).finally(() => clearTimeout(timeout))
  }

  raw.on('close', end)
  // Without a listener, a connection that breaks during a write would crash the process.
  raw.on('error', end)
  return {
    async send({ id, type, data }) {
      // The stream can end while the event is read from the database.
      if (over.signal.aborted) return
      if (!raw.write(`id: ${id}\nevent: ${type}\ndata: ${data}\n\n`)) await waitForDrain()
    },
    signal: over.signal,
    end,
  }
}

const nextCheckMs = (): number => CHECK_INTERVAL_MS * (1 - CHECK_JITTER * Math.random())

const headersOf = (reply: FastifyReply): Record<string, string> =>
  Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]))
