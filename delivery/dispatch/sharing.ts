import { performance } from 'node:perf_hooks'
import { type DispatcherLoad, dispatcherOf, queuesToGive, slotOf, slotsOf } from '../rules/shares.ts'
import { handOverQueues, renewLease } from '../statements/lease-queues.ts'
import type { Statements } from '../statements/statement.ts'
import type { EndpointQueue } from './endpoint-queue.ts'
import type { HeldQueues } from './held-queues.ts'
import type { DispatchMetrics } from './metrics.ts'

/** Event-loop utilization above which a process counts as fully used. */
const FULLY_USED = 0.8
/** Renewals to wait after handing queues over, until the published load shows it. */
const RENEWALS_AFTER_GIVING = 2

export type Sharing = ReturnType<typeof createSharing>

interface SharingParts {
  statements: Statements
  dispatcherId: string
  queues: HeldQueues
  metrics: DispatchMetrics
}

/**
 * The part of this process among the dispatchers on one database. With each renewal of its lease it publishes how busy it is and reads
 * that of the others. If it has more busy queues than its share, it stops claiming for some of them, and hands each over once it has no
 * request in flight: the next owner then sends nothing twice.
 */
export function createSharing({ statements, dispatcherId, queues, metrics }: SharingParts) {
  let others: DispatcherLoad[] = []
  let slots = slotsOf(dispatcherId, [])
  let renewalsToSkip = 0
  let last = { at: performance.now(), ended: 0, use: performance.eventLoopUtilization() }

  function ownLoad(now: number): DispatcherLoad {
    const use = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(use, last.use)
    const perSecond = (queues.ended - last.ended) / ((now - last.at) / 1000)
    last = { at: now, ended: queues.ended, use }
    const requestsPerSecond = utilization > FULLY_USED ? Math.max(1, perSecond) : null
    return { id: dispatcherId, busyQueues: queues.countBusy(now), requestsPerSecond }
  }

  function chooseQueuesToGive(own: DispatcherLoad, now: number): void {
    if (renewalsToSkip-- > 0) return
    const gives = queuesToGive(own, others)
    for (const [to, count] of gives) queues.beginLeaving(to, count, now)
    if (gives.size > 0) renewalsToSkip = RENEWALS_AFTER_GIVING
  }

  async function handOver(left: Map<string, EndpointQueue[]>): Promise<void> {
    for (const [to, given] of left) {
      await handOverQueues(statements, dispatcherId, to, given)
      metrics.handOvers(given.length)
    }
  }

  return {
    get slots() {
      return slots
    },
    /** Whether this process leases the queue of a webhook while no other one owns it. */
    isOwn: (webhookId: string): boolean => slots.includes(slotOf(webhookId)),

    async renew(now: number): Promise<void> {
      const own = ownLoad(now)
      const before = idsOf(others)
      others = await renewLease(statements, own)
      if (idsOf(others).join() !== before.join()) slots = slotsOf(dispatcherId, idsOf(others))
      chooseQueuesToGive(own, now)
    },

    /** Queues that were chosen and have no request in flight any more. */
    handOverLeft: (now: number): Promise<void> => handOver(queues.takeLeft(now)),

    /** For a stop: all queues without a request in flight, to the dispatchers that will have their slots. */
    async handOverIdle(): Promise<void> {
      const heirs = idsOf(others)
      if (heirs.length === 0) return
      const heirOf = ({ webhookId }: EndpointQueue): string => dispatcherOf(slotOf(webhookId), heirs)
      await handOver(Map.groupBy(queues.takeAllIdle(), heirOf))
    },
  }
}

const idsOf = (loads: DispatcherLoad[]): string[] => loads.map(({ id }) => id).toSorted()
