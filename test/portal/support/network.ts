import { startProxy } from '../../chaos/framework/tcp-proxy.ts'

/** A network between a phone and the server that can go away. Requests hang then, as in a tunnel, and break when it is back. */
export async function startUnreliableNetwork(target: string) {
  const url = new URL(target)
  const proxy = await startProxy({ host: url.hostname, port: Number(url.port) })
  url.port = String(proxy.port)
  return {
    /** The same page through this network. */
    url: url.href,
    set(isUp: boolean): void {
      proxy.set(isUp ? 'pass' : 'black hole')
      if (isUp) proxy.cutSilent()
    },
    [Symbol.asyncDispose]: () => proxy.stop(),
  }
}
