import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'

type State = 'pass' | 'black hole'

/** A proxy that breaks TCP connections in the ways that networks break them. */
export interface TcpProxy {
  port: number
  /**
   * `black hole` accepts connections and drops all bytes; existing connections stay silent for
   * good, as behind a firewall that lost its state, and neither end learns of a close until the proxy passes bytes again.
   */
  set(state: State): void
  /** Delays each direction, for bytes that arrive from now on. */
  delay(milliseconds: number): void
  /** The number of bytes that the server has sent on the open connections. */
  bytesFromServer(): number
  /** The number of buffers that wait for their delay. */
  pending(): number
  /**
   * Waits for a statement that contains this text, lets the server execute it, and resets the connection instead of passing the
   * response. Resolves when that has happened; a later call replaces an earlier one.
   */
  dropResponseTo(statement: string): Promise<void>
  /** Resets every connection and returns their number. */
  cut(): number
  /** Resets the connections that a black hole left silent. */
  cutSilent(): void
  stop(): Promise<void>
}

interface Connection {
  client: Socket
  server: Socket | null
  /** True once a black hole dropped some of its bytes: the connection is unusable from then on. */
  isSilent: boolean
  /** Set when the next response is to be dropped. */
  onResponse: (() => void) | null
  pending: number
}

export async function startProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const connections = new Set<Connection>()
  let state: State = 'pass'
  let delayMs = 0
  let trap: { statement: string; resolve: () => void } | null = null

  // Without `allowHalfOpen` Node would close its side on the FIN of a client that a black hole cut off.
  const listener = createServer({ allowHalfOpen: true }, (client) => {
    client.on('error', () => {})
    client.setNoDelay(true)
    const isSilent = state === 'black hole'
    const connection: Connection = { client, server: null, isSilent, onResponse: null, pending: 0 }
    connections.add(connection)
    client.on('close', () => onClose(connection))
    if (isSilent) return void client.resume()
    const server = createConnection(target)
    connection.server = server
    server.setNoDelay(true)
    server.on('error', () => {})
    server.on('close', () => onClose(connection))
    client.on('data', (data: Buffer) => {
      if (trap === null || !data.includes(trap.statement)) return
      connection.onResponse = trap.resolve
      trap = null
    })
    server.on('data', () => {
      if (connection.onResponse === null) return
      reset(connection)
      connection.onResponse()
      connection.onResponse = null
    })
    pump(connection, client, server, () => delayMs)
    pump(connection, server, client, () => delayMs)
  })

  function onClose(connection: Connection): void {
    const isOver = connection.client.closed && (connection.server === null || connection.server.closed)
    if (isOver) connections.delete(connection)
    if (!isOver && !(connection.isSilent && state === 'black hole')) reset(connection)
  }

  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')

  return {
    port: (listener.address() as AddressInfo).port,
    set: (next) => {
      state = next
      for (const connection of connections) {
        if (state === 'black hole') connection.isSilent = true
        else if (connection.client.closed || connection.server?.closed) reset(connection)
      }
    },
    delay: (milliseconds) => {
      delayMs = milliseconds
    },
    bytesFromServer: () =>
      connections.values().reduce((sum, { server }) => sum + (server?.bytesRead ?? 0), 0),
    pending: () => connections.values().reduce((sum, { pending }) => sum + pending, 0),
    dropResponseTo: (statement) =>
      new Promise((resolve) => {
        trap = { statement, resolve }
      }),
    cut: () => {
      const count = connections.size
      for (const connection of connections) reset(connection)
      return count
    },
    cutSilent: () => {
      for (const connection of connections) if (connection.isSilent) reset(connection)
    },
    stop: async () => {
      listener.close()
      for (const connection of connections) reset(connection)
      await once(listener, 'close')
    },
  }
}

function reset({ client, server }: Connection): void {
  for (const socket of [client, server]) if (socket && !socket.destroyed) socket.resetAndDestroy()
}

/** Copies one direction. Order is kept when the delay becomes shorter. */
function pump(connection: Connection, from: Socket, to: Socket, delayMs: () => number): void {
  // Null stands for the end of the stream.
  const queue: { data: Buffer | null; due: number }[] = []
  const pass = (data: Buffer | null): void => {
    if (connection.isSilent || to.destroyed) return
    if (data === null) return void to.end()
    if (to.write(data)) return
    from.pause()
    to.once('drain', () => from.resume())
  }
  const drain = (): void => {
    for (let first = queue[0]; first; first = queue[0]) {
      const wait = first.due - performance.now()
      if (wait > 0) return void setTimeout(drain, Math.ceil(wait))
      queue.shift()
      connection.pending--
      pass(first.data)
    }
  }
  const enqueue = (data: Buffer | null): void => {
    connection.pending++
    queue.push({ data, due: performance.now() + delayMs() })
    if (queue.length === 1) drain()
  }
  from.on('data', enqueue)
  from.on('end', () => enqueue(null))
}
