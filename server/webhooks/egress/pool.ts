import type { Connection } from './connection.ts'
import type { EgressLimits } from './types.ts'

const MAX_IDLE = 1_024
const SWEEP_EVERY_MS = 1_000

export interface Pool {
  /** An idle connection of that group to that origin, young enough to be used again. */
  take(group: string, origin: string): Connection | undefined
  /** A new connection, in use. */
  add(connection: Connection): void
  /** Back from use. */
  release(connection: Connection): void
  /** Closes it, wherever it is. */
  drop(connection: Connection): void
  forget(group: string): void
  /** Resolves when all sockets are closed. */
  closeAll(): Promise<void>
}

/** A group's connections. One in use that comes back and is not among the open ones was forgotten meanwhile. */
interface Lane {
  idle: Connection[]
  open: Set<Connection>
}

export function createPool({ connectionAgeMs }: EgressLimits): Pool {
  const lanes = new Map<string, Lane>()
  /** All idle ones, the one that waits longest first. */
  const idle = new Set<Connection>()

  let sweeping: NodeJS.Timeout | undefined

  /** An idle connection costs the receiver one, too. */
  function sweep(): void {
    const now = performance.now()
    for (const connection of idle) if (now >= connection.goodUntil) drop(connection)
    if (idle.size > 0) return
    clearInterval(sweeping)
    sweeping = undefined
  }

  function dropLongestIdle(): void {
    const [connection] = idle
    if (connection) drop(connection)
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
    take(group, origin) {
      const lane = lanes.get(group)
      if (lane === undefined) return undefined
      const now = performance.now()
      for (let connection = lane.idle.pop(); connection; connection = lane.idle.pop()) {
        idle.delete(connection)
        const isGood = connection.isUsable && connection.origin === origin && now < connection.goodUntil
        if (isGood) return connection
        drop(connection)
      }
      return undefined
    },

    add(connection) {
      const lane = lanes.get(connection.group) ?? { idle: [], open: new Set() }
      lanes.set(connection.group, lane)
      lane.open.add(connection)
      connection.onceClosed(() => drop(connection))
    },

    release(connection) {
      const lane = lanes.get(connection.group)
      if (!lane?.open.has(connection) || !connection.isUsable) return drop(connection)
      lane.idle.push(connection)
      idle.add(connection)
      sweeping ??= setInterval(sweep, Math.min(SWEEP_EVERY_MS, connectionAgeMs))
      if (idle.size > MAX_IDLE) dropLongestIdle()
    },

    drop,

    forget(group) {
      const lane = lanes.get(group)
      lanes.delete(group)
      for (const connection of lane?.idle ?? []) drop(connection)
    },

    async closeAll() {
      clearInterval(sweeping)
      const open = [...lanes.values()].flatMap((lane) => [...lane.open])
      await Promise.all(open.map((connection) => connection.close()))
    },
  }
}
