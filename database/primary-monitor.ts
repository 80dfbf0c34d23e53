import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Host, type HostList, parseHosts } from './hosts.ts'

/** The last reported state of a server in the list. A promoted standby has a higher timeline than the primary before it. */
interface ServerState {
  isWritable: boolean
  timeline: number
}

interface Server {
  host: Host
  /** Null while it does not respond. */
  state: ServerState | null
  /** Why it did not respond. */
  error: unknown
}

type Listener = (primary: Host) => void

const POLL_MS = 500
/** A server that takes longer, because it is frozen or cut off, counts as not responding. */
const RESPONSE_LIMIT_MS = 2_000
/** Without connections it stops after this: long enough to find the new primary while clients try to reconnect. */
const IDLE_MS = 30_000

const PROBE = `
  select current_setting('transaction_read_only') = 'off' as "isWritable",
    case when pg_is_in_recovery() then 0
      else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer end as timeline`

/**
 * Knows which server of a list is the primary. It asks all of them twice a second, so that it notices a failover although the
 * old primary says nothing: it then destroys all connections to other servers, and their statements fail instead of waiting for
 * a timeout. A server with a lower timeline than one that was seen is an old primary; it is never used again.
 */
export class PrimaryMonitor {
  readonly #list: HostList
  readonly #servers: Server[]
  readonly #sockets = new Map<Socket, Host>()
  readonly #listeners = new Set<Listener>()
  #waiting: (() => void)[] = []
  #primary: Host | null = null
  #timeline = 0
  #running: AbortController | null = null
  #isClosing = false
  #lastUse = 0

  constructor(list: HostList) {
    this.#list = list
    this.#servers = list.hosts.map((host) => ({ host, state: null, error: null }))
  }

  /** With the first host of the list alone. */
  get firstUrl(): string {
    return this.#list.urlOf(this.#list.hosts[0] as Host)
  }

  onChange(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Resolves when one of the servers is the primary. Rejects if a server rejects the user, or after the time limit. */
  async find(limitMs: number): Promise<Host> {
    this.#start()
    const deadline = performance.now() + limitMs
    while (!this.#primary) {
      const rejecting = this.#servers.find(({ error }) => isConnectionRejected(error))
      if (rejecting) throw rejecting.error
      const leftMs = deadline - performance.now()
      if (leftMs <= 0)
        throw new Error('Connection timeout: no server of the database URL accepts writes', {
          cause: this.#servers.find(({ error }) => error)?.error,
        })
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#waiting.push(resolve)
      const timer = setTimeout(resolve, leftMs)
      await promise
      clearTimeout(timer)
    }
    return this.#primary
  }

  /** Destroys the socket when another server becomes the primary. */
  track(socket: Socket, host: Host): void {
    this.#sockets.set(socket, host)
    socket.once('close', () => {
      this.#sockets.delete(socket)
      this.#lastUse = performance.now()
      if (this.#isClosing) this.close()
    })
  }

  /** Stops the monitor when its last connection is closed. The next connection starts it again. */
  close(): void {
    this.#isClosing = true
    if (this.#sockets.size > 0 || this.#waiting.length > 0) return
    this.#running?.abort()
    this.#running = null
  }

  #start(): void {
    this.#lastUse = performance.now()
    this.#isClosing = false
    if (this.#running) return
    this.#running = new AbortController()
    for (const server of this.#servers) void this.#watch(server, this.#running)
  }

  get #isUsed(): boolean {
    return this.#sockets.size > 0 || performance.now() - this.#lastUse < IDLE_MS
  }

  async #watch(server: Server, running: AbortController): Promise<void> {
    const { signal } = running
    let connection: Probe | null = null
    while (!signal.aborted) {
      try {
        connection ??= await openProbe(this.#list.urlOf(server.host), signal)
        server.state = await connection.query()
        server.error = null
      } catch (error) {
        connection?.close()
        connection = null
        server.state = null
        server.error = error
      }
      if (signal.aborted) break
      this.#choose()
      await pause(POLL_MS, undefined, { ref: false, signal }).catch(() => {})
      if (!this.#isUsed) this.close()
    }
    connection?.close()
  }

  #choose(): void {
    const timelineOf = ({ state }: Server) => (state?.isWritable ? state.timeline : 0)
    const [best] = this.#servers.toSorted((one, other) => timelineOf(other) - timelineOf(one))
    const current = this.#servers.find(({ host }) => host === this.#primary)
    const isCurrentGood = current?.state?.isWritable === true
    if (best && timelineOf(best) > this.#timeline) this.#use(best)
    // Two addresses of one server have the same timeline.
    else if (best && !isCurrentGood && timelineOf(best) === this.#timeline && this.#timeline > 0)
      this.#use(best)
    // It was demoted. One that does not respond stays the primary until another one responds.
    else if (current?.state?.isWritable === false) this.#use(null)
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  #use(server: Server | null): void {
    this.#primary = server?.host ?? null
    this.#timeline = server?.state?.timeline ?? this.#timeline
    for (const [socket, host] of this.#sockets) if (host !== this.#primary) socket.destroy()
    if (server) for (const listener of this.#listeners) listener(server.host)
  }
}

/** Wrong user or password, or an unknown database: waiting does not help. */
const isConnectionRejected = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^(28|3D)/.test(error.code ?? '')

interface Probe {
  query(): Promise<ServerState>
  close(): void
}

async function openProbe(url: string, signal: AbortSignal): Promise<Probe> {
  const socket = new Socket()
  const close = () => void socket.destroy()
  const client = new pg.Client({
    connectionString: url,
    application_name: 'parley-monitor',
    stream: () => socket,
    keepAlive: true,
    connectionTimeoutMillis: RESPONSE_LIMIT_MS,
    query_timeout: RESPONSE_LIMIT_MS,
  })
  client.on('error', () => {})
  signal.addEventListener('abort', close)
  socket.once('close', () => signal.removeEventListener('abort', close))
  try {
    await client.connect()
  } catch (error) {
    close()
    throw error
  }
  // Only the users of the monitor keep the process alive.
  socket.unref()
  return {
    query: async () => (await client.query<ServerState>(PROBE)).rows[0] as ServerState,
    close,
  }
}

const monitors = new Map<string, PrimaryMonitor>()

/** One per process and URL: all pools learn of a failover together. Null for a URL with one host. */
export function monitorOf(url: string | undefined): PrimaryMonitor | null {
  const list = url === undefined ? null : parseHosts(url)
  if (!url || !list) return null
  const monitor = monitors.get(url) ?? new PrimaryMonitor(list)
  monitors.set(url, monitor)
  return monitor
}

/** Calls the listener for the first primary of a URL with several hosts, and after each failover. */
export const onPrimaryChange = (url: string, listener: Listener): (() => void) =>
  monitorOf(url)?.onChange(listener) ?? (() => {})
