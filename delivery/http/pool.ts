import type { Connection } from './connection.ts'
import type { EgressLimits } from './types.ts'

const SWEEP_EVERY_MS = 1_000

export interface Pool {
  /** Open connections, in use or idle, and those that are being opened. */
  readonly size: number
  /** An idle connection of that group to that origin, young enough to be used again. */
  take(group: string, origin: string): Connection | undefined
  /** A connection is about to be opened: makes room for it where the limit is reached. */
  beginOpening(): void
  /** It is open, or failed. */
  endOpening(): void
  /** A new connection, in use. */
  add(connection: Connection): void
  /** Back from use. */
  release(connection: Connection): void
  /** Closes it, wherever it is. */
  drop(connection: Connection): void
  /** Closes the idle connections that were used longest ago. */
  dropIdle(count: number): void
  forget(group: string): void
  /** Resolves when all sockets are closed. */
  closeAll(): Promise<void>
}

/** A group's connections. One in use that comes back and is not among the open ones was forgotten meanwhile. */
interface Lane {
  idle: Connection[]
  open: Set<Connection>
  /** Most in use at the same time since the last trim, and before it, one less after each trim. */
  peak: number
  recentPeak: number
}

/**
 * Connections by group. Each group keeps as many as it has lately used at the same time. All together are limited by the open files
 * of the process: at the limit, the idle connection that was used longest ago is closed for a new one. A limit on idle ones alone,
 * below what busy groups use, closed a connection for every one that was released, and each request had to connect again.
 */
export function createPool({ connectionAgeMs, connectionTrimMs, maxConnections }: EgressLimits): Pool {
  const lanes = new Map<string, Lane>()
  /** All idle ones, the one that waits longest first. */
  const idle = new Set<Connection>()
  let open = 0
  let opening = 0
  let trimAt = performance.now() + connectionTrimMs

  let sweeping: NodeJS.Timeout | undefined

  /** An idle connection costs the receiver one, too. */
  function sweep(): void {
    const now = performance.now()
    for (const connection of idle) if (now >= connection.goodUntil) drop(connection)
    if (now >= trimAt) {
      trimAt = now + connectionTrimMs
      for (const lane of lanes.values()) trim(lane)
    }
    if (idle.size > 0) return
    clearInterval(sweeping)
    sweeping = undefined
  }

  /** A burst needs many connections once. They go one by one, so that a pause between two bursts does not close them all. */
  function trim(lane: Lane): void {
    lane.recentPeak = Math.max(lane.peak, lane.recentPeak - 1, 1)
    lane.peak = lane.open.size - lane.idle.length
    const [longestIdle] = lane.idle
    if (longestIdle && lane.open.size > lane.recentPeak) drop(longestIdle)
  }

  function dropIdle(count: number): void {
    for (const connection of idle.values().take(count).toArray()) drop(connection)
  }

  function drop(connection: Connection): void {
    idle.delete(connection)
    const lane = lanes.get(connection.group)
    if (lane?.open.delete(connection)) {
      lane.idle = lane.idle.filter((each) => each !== connection)
      if (lane.open.size === 0) lanes.delete(connection.group)
    }
    void connection.close()
  }

  return {
    get size() {
      return open + opening
    },

    take(group, origin) {
      const lane = lanes.get(group)
      if (lane === undefined) return undefined
      const now = performance.now()
      for (let connection = lane.idle.pop(); connection; connection = lane.idle.pop()) {
        idle.delete(connection)
        const isGood = connection.isUsable && connection.origin === origin && now < connection.goodUntil
        if (!isGood) {
          drop(connection)
          continue
        }
        lane.peak = Math.max(lane.peak, lane.open.size - lane.idle.length)
        return connection
      }
      return undefined
    },

    beginOpening() {
      if (open + opening >= maxConnections) {
        const [longestIdle] = idle
        if (longestIdle) drop(longestIdle)
      }
      opening++
    },

    endOpening() {
      opening--
    },

    add(connection) {
      const lane = lanes.get(connection.group) ?? { idle: [], open: new Set(), peak: 0, recentPeak: 1 }
      lanes.set(connection.group, lane)
      lane.open.add(connection)
      lane.peak = Math.max(lane.peak, lane.open.size - lane.idle.length)
      open++
      connection.onceClosed(() => {
        open--
        drop(connection)
      })
    },

    release(connection) {
      const lane = lanes.get(connection.group)
      if (!lane?.open.has(connection) || !connection.isUsable) return drop(connection)
      lane.idle.push(connection)
      idle.add(connection)
      sweeping ??= setInterval(sweep, Math.min(SWEEP_EVERY_MS, connectionAgeMs, connectionTrimMs))
      // Requests in use may exceed the limit for a moment; what they leave idle must not.
      if (open + opening > maxConnections) dropIdle(1)
    },

    drop,
    dropIdle,

    forget(group) {
      const lane = lanes.get(group)
      lanes.delete(group)
      for (const connection of lane?.idle ?? []) drop(connection)
    },

    async closeAll() {
      clearInterval(sweeping)
      const all = [...lanes.values()].flatMap((lane) => [...lane.open])
      await Promise.all(all.map((connection) => connection.close()))
    },
  }
}
