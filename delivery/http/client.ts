import { createAddressRule } from './connect/addresses.ts'
import { type Connector, isRefused } from './connect/connect.ts'
import { createWatch } from './deadlines.ts'
import { dialDirectly } from './connect/dial.ts'
import { maxConnectionsWithin, openFileLimit } from './connect/open-files.ts'
import { createPool } from './pool.ts'
import { Post, type PostContext } from './post.ts'
import { dialThrough } from './connect/proxy.ts'
import { createResolve } from './connect/resolve.ts'
import { createSecure } from './connect/tls.ts'
import { createTargets } from './targets.ts'
import { createTurn } from './turn.ts'
import { DEFAULT_LIMITS, type Egress, type EgressOptions } from './types.ts'

/** The one way out for webhook deliveries: HTTP/1.1 POSTs to judged addresses, bounded in time and bytes, following nothing. */
export function createEgress(options: EgressOptions): Egress {
  const connector = createConnector(options)
  const pool = createPool(connector.limits)
  const watch = createWatch<Post>()
  const context: PostContext = {
    connector,
    pool,
    watch,
    targets: createTargets(options),
    turn: createTurn(),
  }
  const closing = new AbortController()
  return {
    maxConnections: connector.limits.maxConnections,
    connections: () => pool.size,

    post: (group, request) =>
      new Promise((settle) => {
        if (closing.signal.aborted) settle(null)
        else new Post(context, group, settle).begin(request)
      }),

    async probe(url) {
      try {
        return (await isRefused(connector, url, closing.signal)) ? 'refused' : 'open'
      } catch {
        return 'unresolved'
      }
    },

    forget: pool.forget,

    async close() {
      closing.abort()
      for (const post of watch.all()) post.abandon()
      await pool.closeAll()
    },
  }
}

function createConnector({ allowNetworks, proxy, resolve, limits: shortened, ca }: EgressOptions): Connector {
  const maxConnections = maxConnectionsWithin(openFileLimit())
  const limits = { ...DEFAULT_LIMITS, maxConnections, ...shortened }
  const rule = createAddressRule(allowNetworks)
  const resolveName = resolve ?? createResolve({ dnsMs: limits.dnsMs })
  return {
    limits,
    rule,
    resolve: resolveName,
    dial: proxy === null ? dialDirectly(rule) : dialThrough(proxy, resolveName),
    secure: createSecure(ca),
  }
}
