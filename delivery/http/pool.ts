import type { Connection } from './connection.ts'
import type { EgressLimits } from './types.ts'

const SWEEP_EVERY_MS = 1_000

/** A connection that is released and not in `open` belongs to a group that was forgotten. */
interface Group {
  idle: Connection[]
  open: Set<Connection>
  /** Most in use at the same time since the last trim, and before it, one less after each trim. */
  peak: number
  recentPeak: number
}

export type Pool = ReturnType<typeof createPool>

/**
 * Keep-alive connections by group. Each group keeps as many as it recently used at the same time. The limit on open files bounds
 * all together: at the limit, the least recently used idle connection is closed for a new one. A limit on idle connections only was
 * below what busy groups use, and made every request connect again.
 */
export function createPool({ connectionAgeMs, connectionTrimMs, maxConnections }: EgressLimits) {
  const groups = new Map<string, Group>()
  /** The least recently used first. */
  const idle = new Set<Connection>()
  let open = 0
  let opening = 0
  let trimAt = performance.now() + connectionTrimMs

  let sweeping: NodeJS.Timeout | undefined

  /** Idle connections cost the receiver resources too. */
  function sweep(): void {
    const now = performance.now()
    for (const connection of idle) if (now >= connection.expiresAt) drop(connection)
    if (now >= trimAt) {
      trimAt = now + connectionTrimMs
      for (const own of groups.values()) trim(own)
    }
    if (idle.size > 0) return
    clearInterval(sweeping)
    sweeping = undefined
  }

  /** After a burst, connections are closed one by one, so that a pause between two bursts does not close them all. */
  function trim(own: Group): void {
    own.recentPeak = Math.max(own.peak, own.recentPeak - 1, 1)
    own.peak = own.open.size - own.idle.length
    const [longestIdle] = own.idle
    if (longestIdle && own.open.size > own.recentPeak) drop(longestIdle)
  }

  function dropIdle(count: number): void {
    for (const connection of idle.values().take(count).toArray()) drop(connection)
  }

  function drop(connection: Connection): void {
    idle.delete(connection)
    const own = groups.get(connection.group)
    if (own?.open.delete(connection)) {
      own.idle = own.idle.filter((each) => each !== connection)
      if (own.open.size === 0) groups.delete(connection.group)
    }
    void connection.close()
  }

  return {
    /** Connections that are in use, idle, or being opened. */
    get size() {
      return open + opening
    },

    /** An idle connection of the group to the origin that can still be used. */
    take(group: string, origin: string): Connection | undefined {
      const own = groups.get(group)
      if (own === undefined) return undefined
      const now = performance.now()
      for (let connection = own.idle.pop(); connection; connection = own.idle.pop()) {
        idle.delete(connection)
        const isGood = connection.isUsable && connection.origin === origin && now < connection.expiresAt
        if (!isGood) {
          drop(connection)
          continue
        }
        own.peak = Math.max(own.peak, own.open.size - own.idle.length)
        return connection
      }
      return undefined
    },

    /** At the limit, closes an idle connection for the new one. */
    beginOpening(): void {
      if (open + opening >= maxConnections) {
        const [longestIdle] = idle
        if (longestIdle) drop(longestIdle)
      }
      opening++
    },

    /** The connection is open, or failed. */
    endOpening(): void {
      opening--
    },

    /** A new connection, in use. */
    add(connection: Connection): void {
      const own = groups.get(connection.group) ?? { idle: [], open: new Set(), peak: 0, recentPeak: 1 }
      groups.set(connection.group, own)
      own.open.add(connection)
      own.peak = Math.max(own.peak, own.open.size - own.idle.length)
      open++
      connection.onceClosed(() => {
        open--
        drop(connection)
      })
    },

    release(connection: Connection): void {
      const own = groups.get(connection.group)
      if (!own?.open.has(connection) || !connection.isUsable) {
        drop(connection)
        return
      }
      own.idle.push(connection)
      idle.add(connection)
      sweeping ??= setInterval(sweep, Math.min(SWEEP_EVERY_MS, connectionAgeMs, connectionTrimMs))
      // Connections in use can exceed the limit for a moment; idle ones must not.
      if (open + opening > maxConnections) dropIdle(1)
    },

    drop,
    /** Closes the least recently used idle connections. */
    dropIdle,

    forget(group: string): void {
      const own = groups.get(group)
      groups.delete(group)
      for (const connection of own?.idle ?? []) drop(connection)
    },

    /** Resolves when all sockets are closed. */
    async closeAll(): Promise<void> {
      clearInterval(sweeping)
      const all = [...groups.values()].flatMap((own) => [...own.open])
      await Promise.all(all.map((connection) => connection.close()))
    },
  }
}
