export interface EgressOptions {
  /** `http:` targets too (WEBHOOK_ALLOW_HTTP). */
  allowHttp: boolean
  /** CIDRs or addresses that WEBHOOK_ALLOW_NETWORKS opens. */
  allowNetworks: string[]
  /** EGRESS_PROXY: an `http://` proxy that CONNECTs for us (userinfo is its Basic authorization), or null. */
  proxy: string | null
  /** For tests. */
  resolve?: Resolve
  /** For tests. */
  limits?: Partial<EgressLimits>
  /** Certificates (PEM) trusted in addition to the system's. */
  ca?: string[]
}

/** All A and AAAA addresses of a name. Rejects when there are none. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<string[]>

export interface EgressLimits {
  dnsMs: number
  connectMs: number
  tlsMs: number
  /** From name resolution to the end of the response. */
  totalMs: number
  /** A longer body ends the request. */
  maxResponseBytes: number
  /** The part of a response body that is kept. */
  excerptBytes: number
  /** A connection takes no further request after this, so that addresses are resolved and checked again. */
  connectionAgeMs: number
  /** How often a group closes a connection that it no longer needs. */
  connectionTrimMs: number
  /** Connections open at the same time, over all groups. */
  maxConnections: number
  /** How long to wait for the body of a 2xx response. */
  graceMs: number
}

/** The outbound HTTP client. */
export interface Egress {
  /** Connections that fit into this process's limit on open files. */
  readonly maxConnections: number
  /** Connections that are open or being opened. */
  connections(): number
  /**
   * One POST on a connection of that group; connections are never shared between groups (a group is a webhook's id).
   * Never rejects. Null: `close` aborted it, or this machine could not open a socket.
   */
  post(group: string, request: EgressRequest): Promise<EgressResult | null>
  /** How many groups will probably have requests: they share the connections from the first one on. */
  expectGroups(count: number): void
  /** Whether the addresses of this URL are allowed. A name without addresses is `unresolved`. */
  checkTarget(url: URL): Promise<'open' | 'refused' | 'unresolved'>
  /** Closes a group's connections: idle ones immediately, one in use after its response. */
  forget(group: string): void
  /** Aborts all requests in flight. */
  close(): Promise<void>
}

export interface EgressRequest {
  url: string
  /** Alternating names and values. */
  headers: string[]
  body: string
}

/**
 * Coarse, so that the service can't be used as a port scanner. A phase that times out fails with its name (`dns`, `connect`, `tls`);
 * `timeout` is the limit of the whole request. A reset or an invalid response is `connect`.
 */
export type EgressError = 'refused_address' | 'dns' | 'connect' | 'tls' | 'timeout' | 'status'

export interface EgressResult {
  /** A 2xx head arrived. */
  success: boolean
  status: number | null
  /** Null on success. */
  error: EgressError | null
  /** A short code for the log, never for users. */
  detail: string | null
  /** The raw header. */
  retryAfter: string | null
  /** The address dialled. */
  address: string | null
  /** The target is allowed only because WEBHOOK_ALLOW_NETWORKS contains it. */
  opened: boolean
  timings: EgressTimings
  /** Response headers on an allow-list. */
  headers: Record<string, string>
  /** The beginning of the response body, as text that is safe to store and show. */
  body: string
}

/** Milliseconds of each phase, null where it did not happen. */
export interface EgressTimings {
  dnsMs: number | null
  connectMs: number | null
  tlsMs: number | null
  /** From sending the request to the first byte of the response. */
  firstByteMs: number | null
  totalMs: number
}

/** A receiver has to respond within this time, from the start of the request. */
export const RESPONSE_SECONDS = 15

/** Without the limit on connections, which depends on the process. */
export const DEFAULT_LIMITS: Omit<EgressLimits, 'maxConnections'> = {
  dnsMs: 2_000,
  connectMs: 3_000,
  tlsMs: 3_000,
  totalMs: RESPONSE_SECONDS * 1_000,
  maxResponseBytes: 64 * 1024,
  excerptBytes: 4 * 1024,
  connectionAgeMs: 30_000,
  connectionTrimMs: 5_000,
  graceMs: 25,
}
