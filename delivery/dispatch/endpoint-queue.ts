import type { SigningKeys } from '../signing/signature.ts'
import type { LeasedLane } from '../statements/lease-queues.ts'

/** Requests under way to one webhook at most. */
export const LANE_SLOTS = 8

/** A lane that this process holds. */
export interface Lane extends LeasedLane {
  /** Deliveries whose request is under way. */
  underWay: Set<string>
  /** Deliveries that were answered, and whose result is not in the database yet. */
  unrecorded: Set<string>
  /** The last claim took all that it could: there is probably more. */
  backlog: boolean
  claimedAt: number
  activeAt: number
  /** When its row was last written. */
  touchedAt: number
  /** The keys of the secrets that were last read, so that the same ones are not opened again at every claim. */
  keys: { sealed: string; opened: SigningKeys | null } | null
}

export const holdLane = (leased: LeasedLane): Lane => ({
  ...leased,
  underWay: new Set(),
  unrecorded: new Set(),
  backlog: true,
  claimedAt: 0,
  activeAt: performance.now(),
  touchedAt: 0,
  keys: null,
})

export const roomOf = ({ underWay }: Lane): number => LANE_SLOTS - underWay.size

export const isIdle = ({ underWay, unrecorded }: Lane): boolean =>
  underWay.size === 0 && unrecorded.size === 0
