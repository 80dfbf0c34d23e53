import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'

/** A TCP balancer that knows nothing of HTTP: each connection goes to the next address that accepts it. */
export interface Balancer {
  url: string
  /** How many connections each address got. */
  connections: Map<string, number>
  stop(): Promise<void>
}

/** `addresses` is asked at each connection, because processes get other ports when they start again. */
export async function startBalancer(addresses: () => string[]): Promise<Balancer> {
  const connections = new Map<string, number>()
  const open = new Set<Socket>()
  let turn = 0

  async function connect(): Promise<Socket | null> {
    const all = addresses()
    const first = turn++
    for (let offset = 0; offset < all.length; offset++) {
      const address = all[(first + offset) % all.length] as string
      const { hostname, port } = new URL(address)
      const server = createConnection({ host: hostname, port: Number(port), allowHalfOpen: true })
      const isConnected = await Promise.race([
        once(server, 'connect').then(() => true),
        once(server, 'close').then(() => false),
      ]).catch(() => false)
      if (!isConnected) continue
      connections.set(address, (connections.get(address) ?? 0) + 1)
      return server
    }
    return null
  }

  async function forward(client: Socket): Promise<void> {
    const server = await connect()
    if (server === null || client.destroyed) {
      server?.destroy()
      client.resetAndDestroy()
      return
    }
    join(client, server)
    for (const socket of [client, server]) {
      open.add(socket)
      socket.on('close', () => open.delete(socket))
    }
  }

  const listener = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    client.on('error', () => {})
    void forward(client)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    connections,
    stop: async () => {
      listener.close()
      for (const socket of open) socket.destroy()
      await once(listener, 'close')
    },
  }
}

/** Each end gets all bytes of the other. A connection that is reset at one end is reset at the other. */
function join(client: Socket, server: Socket): void {
  for (const [one, other] of [
    [client, server],
    [server, client],
  ] as const) {
    one.setNoDelay(true)
    one.on('error', () => other.resetAndDestroy())
    one.on('close', () => {
      if (!other.writableEnded) other.destroy()
    })
    one.pipe(other)
  }
}
