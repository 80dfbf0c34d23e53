import type { Connection } from './connection.ts'
import type { EgressLimits } from './types.ts'

const SWEEP_EVERY_MS = 1_000

/**
 * How long requests wait for a connection of their group at the limit while none becomes free. Far shorter than the time that receivers have to
 * respond. Without regard to those that became free, a busy process opens more connections, which makes it slower.
 */
const MAX_WAIT_MS = 500

/** A request that waits for a connection of its group. Given null, it opens one. */
interface Waiter {
  origin: string
  give(connection: Connection | null): void
}

interface Group {
  idle: Connection[]
  /** Those in use and idle ones. A connection that is released and not in it belongs to a group that was forgotten. */
  open: Set<Connection>
  /** Connections that are being opened. */
  opening: number
  waiting: Set<Waiter>
  /** When a connection became free, or the first request began to wait. */
  progressAt: number
  stallTimer: NodeJS.Timeout | null
  /** The most connections in use at the same time since the last trim. */
  peak: number
  /** The same before the last trim. A pause lowers it by one with each trim. */
  recentPeak: number
}

export type Pool = ReturnType<typeof createPool>

/**
 * Keep-alive connections by group. Each group keeps as many as it recently used at the same time. The limit on open files bounds
 * all together: requests of a group that has its share of the limit take turns on its connections. At the limit, the least recently
 * used idle connection is closed for a new one, if possible one of a group that has several. Otherwise, with 10,000 busy groups,
 * 2,000 hold all connections, and nearly every request has to connect.
 */
export function createPool({ connectionAgeMs, connectionTrimMs, maxConnections }: EgressLimits) {
  const groups = new Map<string, Group>()
  /** Of all groups, the least recently used first. */
  const idle = new Set<Connection>()
  /** Idle connections whose group has another connection. */
  const spare = new Set<Connection>()
  const open = new Set<Connection>()
  let opening = 0
  let expected = 0
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

  const isFull = (): boolean => open.size + opening >= maxConnections

  function dropIdle(count: number): void {
    for (let left = count; left > 0; left--) {
      const [longestIdle] = spare.size > 0 ? spare : idle
      if (longestIdle) drop(longestIdle)
    }
  }

  function drop(connection: Connection): void {
    open.delete(connection)
    idle.delete(connection)
    spare.delete(connection)
    const own = groups.get(connection.group)
    if (own?.open.delete(connection)) {
      own.idle = own.idle.filter((each) => each !== connection)
      if (own.open.size === 1) for (const last of own.open) spare.delete(last)
      removeIfUnused(connection.group, own)
    }
    void connection.close()
  }

  /** Requests that wait for a group without a connection open their own. */
  function removeIfUnused(name: string, own: Group): void {
    if (own.open.size + own.opening > 0) return
    if (groups.get(name) === own) groups.delete(name)
    for (const { give } of own.waiting) give(null)
  }

  function groupOf(name: string): Group {
    const known = groups.get(name)
    if (known) return known
    const own = {
      idle: [],
      open: new Set<Connection>(),
      opening: 0,
      waiting: new Set<Waiter>(),
      progressAt: 0,
      stallTimer: null,
      peak: 0,
      recentPeak: 1,
    }
    groups.set(name, own)
    return own
  }

  /** One waiting request opens a connection if none became free. */
  function helpStalled(own: Group): void {
    own.stallTimer = null
    const [first] = own.waiting
    if (first === undefined) return
    const stalledMs = performance.now() - own.progressAt
    const isStalled = stalledMs >= MAX_WAIT_MS
    if (isStalled) first.give(null)
    if (own.waiting.size > 0)
      own.stallTimer = setTimeout(helpStalled, isStalled ? MAX_WAIT_MS : MAX_WAIT_MS - stalledMs, own)
  }

  return {
    /** Connections that are in use, idle, or being opened. */
    get size() {
      return open.size + opening
    },

    /** An idle connection of the group to the origin that can still be used. */
    take(group: string, origin: string): Connection | undefined {
      const own = groups.get(group)
      if (own === undefined) return undefined
      const now = performance.now()
      for (let connection = own.idle.pop(); connection; connection = own.idle.pop()) {
        idle.delete(connection)
        spare.delete(connection)
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

    /** Otherwise the first of 10,000 groups open eight connections each, which are closed again for the other groups. */
    expectGroups(count: number): void {
      expected = count
    },

    /** Whether a request should wait for a connection of its group instead of opening one: the group has its share of the limit. */
    isWorthWaiting(group: string): boolean {
      const own = groups.get(group)
      if (own === undefined) return false
      const share = isFull() ? 1 : Math.floor(maxConnections / Math.max(groups.size, expected))
      return own.open.size + own.opening >= Math.max(1, share)
    },

    /** Resolves with a connection of the group to the origin, or with null if none becomes free in time. */
    takeLater(group: string, origin: string): Promise<Connection | null> {
      const own = groupOf(group)
      const { promise, resolve } = Promise.withResolvers<Connection | null>()
      const waiter: Waiter = {
        origin,
        give(connection) {
          own.waiting.delete(waiter)
          resolve(connection)
        },
      }
      if (own.waiting.size === 0) own.progressAt = performance.now()
      own.waiting.add(waiter)
      own.stallTimer ??= setTimeout(helpStalled, MAX_WAIT_MS, own)
      return promise
    },

    /** At the limit, closes an idle connection for the new one. The result is called when that is added, or has failed. */
    beginOpening(group: string): () => void {
      if (isFull()) dropIdle(1)
      const own = groupOf(group)
      opening++
      own.opening++
      return () => {
        opening--
        own.opening--
        removeIfUnused(group, own)
      }
    },

    /** A new connection, in use. */
    add(connection: Connection): void {
      const own = groupOf(connection.group)
      own.open.add(connection)
      own.peak = Math.max(own.peak, own.open.size - own.idle.length)
      open.add(connection)
      connection.onceClosed(() => drop(connection))
    },

    release(connection: Connection): void {
      const own = groups.get(connection.group)
      if (!own?.open.has(connection) || !connection.isUsable) {
        drop(connection)
        return
      }
      const [waiter] = own.waiting
      if (waiter !== undefined) {
        own.progressAt = performance.now()
        if (waiter.origin === connection.origin && performance.now() < connection.expiresAt)
          waiter.give(connection)
        else drop(connection)
        return
      }
      own.idle.push(connection)
      idle.add(connection)
      if (own.open.size > 1) spare.add(connection)
      sweeping ??= setInterval(sweep, Math.min(SWEEP_EVERY_MS, connectionAgeMs, connectionTrimMs))
      // Connections in use can exceed the limit for a moment; idle ones must not.
      if (idle.size > maxConnections || (spare.size > 0 && open.size + opening > maxConnections)) dropIdle(1)
    },

    drop,
    /** Closes the least recently used idle connections. */
    dropIdle,

    forget(group: string): void {
      const own = groups.get(group)
      groups.delete(group)
      for (const connection of own?.idle ?? []) drop(connection)
      for (const { give } of own?.waiting ?? []) give(null)
    },

    /** Resolves when all sockets are closed. */
    async closeAll(): Promise<void> {
      clearInterval(sweeping)
      for (const { stallTimer } of groups.values()) if (stallTimer) clearTimeout(stallTimer)
      await Promise.all(Array.from(open, (connection) => connection.close()))
    },
  }
}
