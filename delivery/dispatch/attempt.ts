import { faultPoint } from '../../platform/fault-points.ts'
import type { Egress, EgressResult } from '../http/index.ts'
import type { SigningKeys } from '../signing/signature.ts'
import { type Attempt, logOf, newAttempt, type Shipment } from './outgoing-request.ts'
import type { ClaimedDelivery, ClaimedLane } from '../statements/claim-deliveries.ts'
import type { Lane } from './endpoint-queue.ts'
import type { HeldLanes } from './held-queues.ts'
import type { DispatchMetrics } from './metrics.ts'
import type { Recorder } from './recorder.ts'
import { nextWait } from '../rules/retry-schedule.ts'

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
export type Sendable = ClaimedDelivery & { body: string }

/** Makes an attempt: posts, and hands what came of it to the recorder. No transaction is open meanwhile. */
export type Send = (lane: Lane, claimed: ClaimedLane, delivery: Sendable, keys: SigningKeys | null) => void

export function createSender(parts: SenderParts): Send {
  const { egress, recorder, held, metrics, userAgent, roomAgain } = parts

  function finish(lane: Lane, attempt: Attempt, sent: Sent, result: EgressResult | null): void {
    lane.underWay.delete(attempt.deliveryId)
    held.count(lane, -1)
    // Cut off by our own stop, or never sent for want of a socket: not counted, and made again after the lane's next lease.
    if (result === null) return
    faultPoint('after_post')
    lane.activeAt = performance.now()
    lane.unrecorded.add(attempt.deliveryId)
    const { webhookId, fence } = lane
    const { outcome, waitMs } = outcomeOf(attempt, sent, result)
    const record = { ...logOf(attempt, result), webhookId, fence, outcome, waitMs }
    recorder.add({ lane, record, probing: sent.probing })
    if (result.success) metrics.success((sent.age_ms + result.timings.totalMs) / 1000)
    if (!lane.backlog) return
    held.starve(lane)
    roomAgain()
  }

  return (lane, claimed, delivery, keys) => {
    const { delivery_id, attempts } = delivery
    const of = { deliveryId: delivery_id, number: attempts + 1, at: claimed.now }
    const { attempt, request } = newAttempt(of, shipmentOf(claimed, delivery, keys), userAgent)
    const { age_ms, left_ms } = delivery
    const sent = { probing: claimed.probing, age_ms, left_ms }
    lane.underWay.add(attempt.deliveryId)
    held.count(lane, 1)
    if (attempt.number === 1) metrics.firstAttempt(delivery.age_ms / 1000)
    // Kept here until the answer: these three, and not the body.
    void egress.post(lane.webhookId, request).then((result) => finish(lane, attempt, sent, result))
  }
}

interface Sent {
  probing: boolean
  /** Of the event, when it was claimed. */
  age_ms: number
  /** Until the delivery expires, when it was claimed. */
  left_ms: number
}

const shipmentOf = (
  { url }: ClaimedLane,
  { event_id, event_type, body }: Sendable,
  keys: SigningKeys | null,
): Shipment => ({ url, eventId: event_id, eventType: event_type, body, keys })

function outcomeOf(
  { number, at }: Attempt,
  { left_ms }: Sent,
  result: EgressResult,
): { outcome: 'succeeded' | 'retry' | 'failed'; waitMs: number | null } {
  if (result.success) return { outcome: 'succeeded', waitMs: null }
  const { retryAfter, timings } = result
  const [now, leftMs] = [at + timings.totalMs, left_ms - timings.totalMs]
  const waitMs = nextWait({ number, retryAfter, now, leftMs }, Math.random)
  return { outcome: waitMs === null ? 'failed' : 'retry', waitMs }
}
