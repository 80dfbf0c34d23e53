import type { Keyring } from '../../platform/encryption.ts'
import type { Logger } from '../../platform/log.ts'
import { MAX_IN_FLIGHT, MAX_IN_FLIGHT_UNTIL_SUCCESS } from '../rules/due-deliveries.ts'
import { openKeys, type SealedSecrets, type SigningKeys } from '../signing/signature.ts'
import type { LeasedQueue } from '../statements/lease-queues.ts'

/** The deliveries to one webhook, as the dispatcher that owns the queue tracks them. */
export interface EndpointQueue extends LeasedQueue {
  /** A statement that claims its deliveries is running. */
  isClaiming: boolean
  /** It may have due deliveries that this claim does not see. */
  isWoken: boolean
  /** Deliveries whose request is in flight. */
  inFlight: Set<string>
  /** Deliveries that have a result, which is not in the database yet. */
  unrecorded: Set<string>
  /** Claimed in advance: each is sent when another request of this queue ends. They are still pending in the database. */
  prefetched: PrefetchedDelivery[]
  /** How many deliveries the next claim takes in advance. */
  prefetch: number
  /** The time of its last requests, on average. Null before the first one. */
  requestMs: number | null
  /** The last claim was full, so more deliveries are probably due. */
  hasMore: boolean
  pace: Pace
  claimedAt: number
  /** When deliveries were last claimed, or a request ended. */
  activeAt: number
  /** When its row was last updated. */
  updatedAt: number
  /** Decrypted once for all claims that read the same secrets. */
  keys: { sealed: string; opened: SigningKeys | null } | null
}

/**
 * With which other queues it shares request slots. Slow: its last response took long to begin, its requests hang, or none has ended yet.
 * Failing: the last one failed after a long time, or was the last before the queue was leased.
 */
export type Pace = 'quick' | 'slow' | 'failing'

export interface PrefetchedDelivery {
  id: string
  claimedAt: number
  send(): void
}

export const newEndpointQueue = (leased: LeasedQueue): EndpointQueue => ({
  ...leased,
  isClaiming: false,
  isWoken: false,
  inFlight: new Set(),
  unrecorded: new Set(),
  prefetched: [],
  prefetch: 0,
  requestMs: null,
  hasMore: true,
  pace: leased.isFailing ? 'failing' : leased.isHealthy ? 'quick' : 'slow',
  claimedAt: 0,
  activeAt: performance.now(),
  updatedAt: 0,
  keys: null,
})

/** How many more requests can be in flight to it. */
export const capacityOf = ({ isHealthy, inFlight }: EndpointQueue): number =>
  Math.max(0, (isHealthy ? MAX_IN_FLIGHT : MAX_IN_FLIGHT_UNTIL_SUCCESS) - inFlight.size)

/** In addition to its requests in flight: seven times as many. */
const MAX_PREFETCH = 56
const MIN_PREFETCH = 8
/** Deliveries are claimed in advance if they can probably be sent within this time. */
const PREFETCH_MS = 100
/** The weight of the last request in the average. */
const WEIGHT = 0.25

/** How many more deliveries a claim can take in advance. */
export const prefetchOf = (queue: EndpointQueue): number =>
  queue.hasMore && queue.isHealthy && queue.pace === 'quick'
    ? Math.max(0, queue.prefetch - queue.prefetched.length)
    : 0

/** Whether so many deliveries are left that the next claim would be small. */
export const isSupplied = ({ prefetched, prefetch }: EndpointQueue): boolean =>
  prefetched.length > prefetch / 3

/** A queue with a backlog claims more in advance each time, as far as its receiver is quick enough. */
export function adjustPrefetch(queue: EndpointQueue): void {
  const soon = queue.requestMs === null ? 0 : Math.floor((MAX_IN_FLIGHT * PREFETCH_MS) / queue.requestMs)
  queue.prefetch = queue.hasMore
    ? Math.min(Math.max(MIN_PREFETCH, 2 * queue.prefetch), soon, MAX_PREFETCH)
    : 0
}

export function noteRequestTime(queue: EndpointQueue, ms: number): void {
  const average = queue.requestMs ?? ms
  queue.requestMs = average + WEIGHT * (ms - average)
}

/** Another dispatcher can own it without a delivery being sent twice. */
export const isIdle = ({ isClaiming, inFlight, unrecorded, prefetched }: EndpointQueue): boolean =>
  !isClaiming && inFlight.size === 0 && unrecorded.size === 0 && prefetched.length === 0

/**
 * The secrets are read with every claim, and decrypted when they have changed. Null: the webhook is not signed. Undefined: decryption
 * failed, so do not send.
 */
export function keysOf(
  queue: EndpointQueue,
  secrets: Omit<SealedSecrets, 'id'>,
  { keyring, log }: { keyring: Keyring; log: Logger },
): SigningKeys | null | undefined {
  const sealed = `${secrets.secret} ${secrets.previous_secret} ${secrets.secret_version}`
  if (queue.keys?.sealed === sealed) return queue.keys.opened
  try {
    queue.keys = { sealed, opened: openKeys(keyring, { ...secrets, id: queue.webhookId }) }
    return queue.keys.opened
  } catch (err) {
    const fields = { err, component: 'webhooks', webhook_id: queue.webhookId }
    log.error(fields, 'Cannot decrypt the webhook secret; disabling the webhook')
    return undefined
  }
}
