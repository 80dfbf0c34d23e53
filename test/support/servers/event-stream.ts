import { until } from '../webhooks.ts'

interface StreamedEvent {
  id: string
  event: string
  // Tests read events of many shapes; their assertions are the types.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  data: any
}

/** Reads a stream of server-sent events until it is closed. */
export async function openStream(url: string, token: string, headers: Record<string, string> = {}) {
  const abort = new AbortController()
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}`, ...headers },
    signal: abort.signal,
  })
  const events: StreamedEvent[] = []
  const ended = (async () => {
    let text = ''
    for await (const part of response.body as ReadableStream<Uint8Array>) {
      text += Buffer.from(part).toString()
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      events.push(...blocks.flatMap(toEvent))
    }
  })().catch(() => {})
  const got = (count: number) =>
    until(
      async () => events,
      ({ length }) => length >= count,
    )
  return { response, events, got, ended, close: () => abort.abort() }
}

function toEvent(block: string): StreamedEvent[] {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  const { id, event = '', data = '' } = fields
  return id ? [{ id, event, data: JSON.parse(data) }] : []
}
