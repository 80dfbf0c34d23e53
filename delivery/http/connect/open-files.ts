import { readFileSync } from 'node:fs'

/** Used where the limit can't be read (not Linux). Few systems have a lower one. */
const FALLBACK_LIMIT = 4_096
/** Kept free for the database, API clients and files: this much, or half of a small limit. */
const RESERVE = 8_192
/** Two for each of the 20,000 endpoint queues that a dispatcher holds at most: a fast receiver rarely needs more. */
const MAX_USEFUL = 40_000

/** The limit of open files and sockets. Node raises the soft limit to the hard one when it starts. */
export function openFileLimit(): number {
  try {
    const [, soft] =
      /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    if (soft === undefined) return FALLBACK_LIMIT
    return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft)
  } catch {
    return FALLBACK_LIMIT
  }
}

/** Connections to receivers, in use or idle, that fit within the limit on open files. */
export const maxConnectionsWithin = (limit: number): number =>
  Math.max(1, Math.min(MAX_USEFUL, Math.floor(limit - Math.min(RESERVE, limit / 2))))

const OUT_OF_FILES = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'])

/** This machine can't open another socket, which is not a failure of the receiver. */
export const isOutOfFiles = (code: string): boolean => OUT_OF_FILES.has(code)
