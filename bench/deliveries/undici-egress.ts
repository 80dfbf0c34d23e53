import { callbackify } from 'node:util'
import { type buildConnector, Pool } from 'undici'
import { createConnector } from '../../delivery/http/client.ts'
import { connect, newRoute, type Route } from '../../delivery/http/connect/connect.ts'
import { open } from '../../delivery/http/connect/dial.ts'
import type { Egress, EgressOptions, EgressRequest, EgressResult } from '../../delivery/http/types.ts'

/** The service has this many requests in flight to one webhook, too. */
const CONNECTIONS = 8

interface Group {
  pool: Pool
  route: Route
}

/**
 * The HTTP client of deliveries built on undici's `dispatch`, with our address guard as its `connect`. It does what a delivery
 * needs to be compared: limits on time, and the beginning of the body. Hostile responses are not handled as ours handles them.
 */
export function createUndiciEgress(options: EgressOptions): Egress {
  // undici reads from the socket itself: it cannot use the shared read buffer of our own dial.
  const connector = { ...createConnector(options), dial: open }
  const { limits } = connector
  const groups = new Map<string, Group>()
  const closing = new AbortController()

  function groupOf(name: string, origin: string): Group {
    const known = groups.get(name)
    if (known) return known
    const route = newRoute()
    const pool = new Pool(origin, {
      connections: CONNECTIONS,
      pipelining: 1,
      keepAliveTimeout: limits.connectionAgeMs,
      headersTimeout: limits.totalMs,
      bodyTimeout: limits.totalMs,
      connect: callbackify((_options: unknown) =>
        connect(connector, new URL(origin), route, closing.signal),
      ) as unknown as buildConnector.connector,
    })
    const group = { pool, route }
    groups.set(name, group)
    return group
  }

  return {
    maxConnections: limits.maxConnections,
    connections: () => groups.values().reduce((sum, { pool }) => sum + pool.stats.connected, 0),
    post: (name, request) => {
      const { origin, pathname, search } = new URL(request.url)
      return send(groupOf(name, origin), `${pathname}${search}`, request, limits.excerptBytes)
    },
    expectGroups: () => {},
    checkTarget: async () => 'open',
    forget: (name) => void groups.get(name)?.pool.destroy(),
    close: async () => {
      closing.abort()
      await Promise.all(groups.values().map(({ pool }) => pool.destroy()))
    },
  }
}

function send(
  { pool, route }: Group,
  path: string,
  { headers, body }: EgressRequest,
  excerptBytes: number,
): Promise<EgressResult> {
  const beganAt = performance.now()
  return new Promise((resolve) => {
    let status: number | null = null
    let firstByteMs: number | null = null
    let text = ''
    const finish = (detail: string | null) =>
      resolve({
        success: status !== null && status < 300,
        status,
        error: status === null ? 'connect' : status < 300 ? null : 'status',
        detail,
        retryAfter: null,
        address: route.address,
        opened: route.opened,
        timings: {
          dnsMs: route.dnsMs,
          connectMs: route.connectMs,
          tlsMs: route.tlsMs,
          firstByteMs,
          totalMs: performance.now() - beganAt,
        },
        headers: {},
        body: text,
      })
    pool.dispatch(
      { path, method: 'POST', headers: ['content-type', 'application/json', ...headers], body },
      {
        onRequestStart() {},
        onResponseStart(_controller, statusCode) {
          status = statusCode
          firstByteMs = performance.now() - beganAt
        },
        onResponseData(_controller, chunk) {
          if (text.length < excerptBytes) text += chunk.toString('latin1')
        },
        onResponseEnd: () => finish(null),
        onResponseError: (_controller, error) => finish(error.message),
      },
    )
  })
}
