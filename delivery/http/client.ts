import { createAddressPolicy } from './connect/addresses.ts'
import { type Connector, isRefused } from './connect/connect.ts'
import { dialDirectly } from './connect/dial.ts'
import { maxConnectionsWithin, openFileLimit } from './connect/open-files.ts'
import { dialThroughProxy } from './connect/proxy.ts'
import { createResolve } from './connect/resolve.ts'
import { createStartTls } from './connect/tls.ts'
import { createDeadlines } from './deadlines.ts'
import { createPool } from './pool.ts'
import { Post, type PostContext } from './post.ts'
import { createTargets } from './targets.ts'
import { createTurn } from './turn.ts'
import { DEFAULT_LIMITS, type Egress, type EgressOptions } from './types.ts'

/** The HTTP client of all deliveries: HTTP/1.1 POST to checked addresses, with limits on time and bytes, without redirects. */
export function createEgress(options: EgressOptions): Egress {
  const connector = createConnector(options)
  const pool = createPool(connector.limits)
  const deadlines = createDeadlines<Post>()
  const context: PostContext = {
    connector,
    pool,
    deadlines,
    targets: createTargets(options),
    turn: createTurn(),
  }
  const closing = new AbortController()
  return {
    maxConnections: connector.limits.maxConnections,
    connections: () => pool.size,

    post: (group, request) =>
      new Promise((resolve) => {
        if (closing.signal.aborted) resolve(null)
        else new Post(context, group, resolve).begin(request)
      }),

    expectGroups: pool.expectGroups,

    async checkTarget(url) {
      try {
        return (await isRefused(connector, url, closing.signal)) ? 'refused' : 'open'
      } catch {
        return 'unresolved'
      }
    },

    forget: pool.forget,

    async close() {
      closing.abort()
      for (const post of deadlines.all()) post.abort()
      await pool.closeAll()
    },
  }
}

export function createConnector({ allowNetworks, proxy, resolve, ca, ...options }: EgressOptions): Connector {
  const maxConnections = maxConnectionsWithin(openFileLimit())
  const limits = { ...DEFAULT_LIMITS, maxConnections, ...options.limits }
  const policy = createAddressPolicy(allowNetworks)
  const resolveName = resolve ?? createResolve({ dnsMs: limits.dnsMs })
  return {
    limits,
    policy,
    resolve: resolveName,
    dial: proxy === null ? dialDirectly(policy) : dialThroughProxy(proxy, resolveName),
    startTls: createStartTls(ca),
  }
}
