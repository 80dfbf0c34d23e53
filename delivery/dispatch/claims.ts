import { availableParallelism } from 'node:os'
import type { Share } from '../statements/claim-deliveries.ts'
import type { EndpointQueue } from './endpoint-queue.ts'
import { CLAIM_SIZE, type HeldQueues, sizeOf } from './held-queues.ts'

interface ClaimsParts {
  queues: HeldQueues
  /** Claims deliveries and begins their requests. */
  attempt(shares: Map<EndpointQueue, Share>): Promise<void>
  /** A claim has ended. */
  onEnd(): void
}

/**
 * The least time between two claims, in proportion to the deliveries that the last one could take: under load, each takes many. A process
 * with few busy queues does not wait that long for each handful.
 */
const CLAIM_EVERY_MS = { min: 2, max: 10 }
/**
 * Claims at the same time, of different queues. With one at a time, a process with 10,000 webhooks waited for PostgreSQL half of the time.
 * On two cores, they only compete with the sender. A second one must be large: small claims cost PostgreSQL more per delivery.
 */
const MAX_CLAIMS = availableParallelism() > 4 ? 2 : 1
const MIN_SECOND_CLAIM = CLAIM_SIZE / 2
const SECOND_CLAIM_EVERY_MS = 5

/** Decides when deliveries are claimed. */
export function createClaims({ queues, attempt, onEnd }: ClaimsParts) {
  const running = new Set<Promise<void>>()
  const errors: unknown[] = []
  let nextAt = 0
  let secondAt = 0

  async function run(shares: Map<EndpointQueue, Share>): Promise<void> {
    queues.beginClaim(shares.keys())
    try {
      await attempt(shares)
    } catch (err) {
      errors.push(err)
    } finally {
      queues.endClaim(shares.keys())
    }
  }

  return {
    /** The pause after the last claim is over then. */
    get nextAt() {
      return nextAt
    },
    /** When there is something to do without a signal. */
    get dueAt() {
      if (!queues.hasReady() || running.size >= MAX_CLAIMS) return Number.POSITIVE_INFINITY
      return running.size > 0 ? Math.max(nextAt, secondAt) : nextAt
    },
    /** Starts a claim if one is due. Throws the error of an earlier one. */
    start(now: number): void {
      if (errors.length > 0) throw errors.pop()
      if (running.size >= MAX_CLAIMS || (running.size > 0 && now < secondAt)) return
      const shares = queues.takeShares(now)
      const size = sizeOf(shares)
      secondAt = now + SECOND_CLAIM_EVERY_MS
      if (size === 0 || (running.size > 0 && size < MIN_SECOND_CLAIM)) return
      nextAt = now + Math.max(CLAIM_EVERY_MS.min, CLAIM_EVERY_MS.max * Math.min(1, size / CLAIM_SIZE))
      const claim = run(shares).finally(() => {
        running.delete(claim)
        onEnd()
      })
      running.add(claim)
    },
    ended: async (): Promise<void> => void (await Promise.all(running)),
  }
}
