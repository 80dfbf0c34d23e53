import { faultPoint } from '../../kernel/fault-points.ts'
import type { Egress, EgressResult } from '../egress/index.ts'
import type { SigningKeys } from '../signature.ts'
import { type Attempt, logOf, requestOf } from './attempt.ts'
import type { Claimed } from './claim-deliveries.ts'
import type { HeldLanes } from './held-lanes.ts'
import type { Lane } from './lane.ts'
import type { DispatchMetrics } from './metrics.ts'
import type { Recorder } from './recorder.ts'
import { nextWait } from './retry-ladder.ts'

export interface SenderParts {
  egress: Egress
  recorder: Recorder
  held: HeldLanes
  metrics: DispatchMetrics
  userAgent: string
  /** A lane with a backlog has room again. */
  roomAgain(): void
}

/** A claimed delivery that has bytes to send. */
export type Sendable = Claimed & { delivery_id: string; body: Buffer }

/** Makes attempts: posts, and hands what came of it to the recorder. No transaction is open meanwhile. */
export function createSender(
  parts: SenderParts,
): (lane: Lane, claimed: Sendable, keys: SigningKeys | null) => void {
  const { egress, recorder, held, metrics, userAgent, roomAgain } = parts

  function finish(lane: Lane, attempt: Attempt, claimed: Sendable, result: EgressResult | null): void {
    lane.underWay.delete(attempt.deliveryId)
    held.count(lane, -1)
    // Cut off by our own stop: not counted, and made again by whoever takes the lane.
    if (result === null) return
    faultPoint('after_post')
    lane.activeAt = performance.now()
    lane.unrecorded.add(attempt.deliveryId)
    const { webhookId, fence } = lane
    const { outcome, waitMs } = outcomeOf(attempt, result)
    const record = { ...logOf(attempt, result), webhookId, fence, outcome, waitMs }
    recorder.add({ lane, record, probing: claimed.probing })
    metrics.attempt(outcome, result.error)
    if (result.success) metrics.success((claimed.age_ms + result.timings.totalMs) / 1000)
    if (!lane.backlog) return
    held.starve(lane)
    roomAgain()
  }

  return (lane, claimed, keys) => {
    const attempt = attemptOf(claimed, keys)
    lane.underWay.add(attempt.deliveryId)
    held.count(lane, 1)
    if (attempt.number === 1) metrics.firstAttempt(claimed.age_ms / 1000)
    void egress
      .post(lane.webhookId, requestOf(attempt, userAgent))
      .then((result) => finish(lane, attempt, claimed, result))
  }
}

const attemptOf = (claimed: Sendable, keys: SigningKeys | null): Attempt => ({
  deliveryId: claimed.delivery_id,
  eventId: claimed.event_id,
  eventType: claimed.event_type,
  number: claimed.attempts + 1,
  url: claimed.url,
  body: claimed.body,
  keys,
  at: claimed.now,
})

function outcomeOf(
  { number, at }: Attempt,
  result: EgressResult,
): { outcome: 'succeeded' | 'retry' | 'failed'; waitMs: number | null } {
  if (result.success) return { outcome: 'succeeded', waitMs: null }
  const now = at + result.timings.totalMs
  const waitMs = nextWait({ number, retryAfter: result.retryAfter, now }, Math.random)
  return { outcome: waitMs === null ? 'failed' : 'retry', waitMs }
}
