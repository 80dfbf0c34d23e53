export interface EgressOptions {
  /** `http:` targets too (WEBHOOK_ALLOW_HTTP). */
  allowHttp: boolean
  /** CIDRs or addresses that WEBHOOK_ALLOW_NETWORKS opens. */
  allowNetworks: string[]
  /** EGRESS_PROXY: an `http://` proxy that CONNECTs for us (userinfo is its Basic authorization), or null. */
  proxy: string | null
  /** Names to addresses; tests own it. */
  resolve?: Resolve
  /** Tests shorten these. */
  limits?: Partial<EgressLimits>
  /** Certificates (PEM) that are trusted beside the system's. */
  ca?: string[]
}

/** All A and AAAA addresses of a name. Rejects when there are none. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<string[]>

export interface EgressLimits {
  dnsMs: number
  connectMs: number
  tlsMs: number
  /** Over everything: names, connecting, sending, the whole answer. */
  totalMs: number
  /** Of an answer's body that are read. */
  answerBytes: number
  /** Of an answer's body that are kept. */
  excerptBytes: number
  /** A connection takes no further request after this, so that a name's addresses are looked up and judged again. */
  connectionAgeMs: number
  /** How often a group that uses fewer connections at the same time than it keeps loses one of them. */
  connectionTrimMs: number
  /** Connections open at the same time, over all groups. */
  maxConnections: number
  /** How long the body of a 2xx answer is waited for. */
  graceMs: number
}

export interface Egress {
  /** Requests at the same time that this process has open files for. */
  readonly maxConnections: number
  /** Connections that are open or being opened. */
  connections(): number
  /**
   * One POST on a connection of that group; connections are never shared between groups (a group is a webhook's id).
   * Resolves in every case; with null when `close` cut it off, or when this machine had no file left for its socket.
   */
  post(group: string, request: EgressRequest): Promise<EgressResult | null>
  /** Would this URL's addresses be refused? A name without addresses is 'unresolved'. */
  probe(url: URL): Promise<'open' | 'refused' | 'unresolved'>
  /** Drops a group's connections: idle ones at once, one in use after its answer. */
  forget(group: string): void
  /** Cuts off everything under way. */
  close(): Promise<void>
}

export interface EgressRequest {
  url: string
  /** Names and values in turn. */
  headers: string[]
  body: string
}

/**
 * Coarse on purpose, so that the service is no port scanner. A phase that outlasts its own limit fails by its name
 * (`dns`, `connect`, `tls`); `timeout` is the limit over everything. A reset, garbage or a broken connection is `connect`.
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
  /** The target was within reach only because WEBHOOK_ALLOW_NETWORKS opened it. */
  opened: boolean
  timings: EgressTimings
  /** Of the answer, allow-list only. */
  headers: Record<string, string>
  /** The beginning of the answer's body as text that is safe to store and to show. */
  body: string
}

/** Milliseconds of each phase, null where it did not happen. */
export interface EgressTimings {
  dnsMs: number | null
  connectMs: number | null
  tlsMs: number | null
  /** From the connection's being there to the first byte of the answer. */
  firstByteMs: number | null
  totalMs: number
}

/** All but the limit on connections, which is the process's. */
export const DEFAULT_LIMITS: Omit<EgressLimits, 'maxConnections'> = {
  dnsMs: 2_000,
  connectMs: 3_000,
  tlsMs: 3_000,
  totalMs: 15_000,
  answerBytes: 64 * 1024,
  excerptBytes: 4 * 1024,
  connectionAgeMs: 30_000,
  connectionTrimMs: 5_000,
  graceMs: 25,
}
