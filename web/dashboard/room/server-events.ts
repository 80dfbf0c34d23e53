/** One event of a stream of the API. */
export interface ServerEvent {
  id: string
  type: string
  data: unknown
}

export interface Following {
  onEvent(event: ServerEvent): void
  /** The stream is open: everything that happens from now on is an event. */
  onOpen(): void
  /** The connection was lost, or never came up. It is tried again until the signal is aborted. */
  onLost(status: number | null): void
  signal: AbortSignal
}

/** The server sends something every 15 s. A connection without anything for longer is dead, although the browser does not know. */
const SILENCE_MS = 40_000
const RETRIES_MS = [500, 1_000, 2_000, 5_000, 10_000]

/**
 * Follows a stream of server-sent events and continues after the last event when the connection was lost, so that none is missed.
 * Not `EventSource`: it hides why a connection failed, and gives up on some errors for good.
 */
export async function followEvents(url: string, following: Following): Promise<void> {
  const { signal, onLost } = following
  let lastId: string | null = null
  let failures = 0
  while (!signal.aborted) {
    const status = await readStream(url, lastId, {
      ...following,
      onOpen: () => {
        failures = 0
        following.onOpen()
      },
      onEvent: (event) => {
        lastId = event.id
        following.onEvent(event)
      },
    })
    if (signal.aborted) return
    onLost(status)
    await pause(RETRIES_MS[failures] ?? 10_000, signal)
    failures = Math.min(failures + 1, RETRIES_MS.length - 1)
  }
}

/** Returns when the connection is over: the status of a response that is not a stream, otherwise null. */
async function readStream(url: string, lastId: string | null, following: Following): Promise<number | null> {
  const over = new AbortController()
  let timer = setTimeout(() => over.abort(), SILENCE_MS)
  try {
    const response = await fetch(url, {
      headers: { accept: 'text/event-stream', ...(lastId && { 'last-event-id': lastId }) },
      cache: 'no-store',
      signal: AbortSignal.any([following.signal, over.signal]),
    })
    if (!response.ok || !response.body) return response.status
    following.onOpen()
    const parse = createParser(following.onEvent)
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return null
      clearTimeout(timer)
      timer = setTimeout(() => over.abort(), SILENCE_MS)
      parse(value)
    }
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}

/** Takes the text of a stream in pieces of any size. */
export function createParser(onEvent: (event: ServerEvent) => void): (text: string) => void {
  let rest = ''
  return (text) => {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = eventIn(block)
      if (event) onEvent(event)
    }
  }
}

/** Null for a comment, which only keeps the connection open. */
function eventIn(block: string): ServerEvent | null {
  const fields = new Map(
    block.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trimStart()]
    }),
  )
  const [id, type, data] = [fields.get('id'), fields.get('event'), fields.get('data')]
  return id && type && data ? { id, type, data: JSON.parse(data) } : null
}

/** Shorter when the browser is online again. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    addEventListener('online', end)
    signal.addEventListener('abort', end)
  })
}
