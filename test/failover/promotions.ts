import { setTimeout as pause } from 'node:timers/promises'
import { FaultSchedule } from '../chaos/framework/fault-schedule.ts'
import type { Fixtures } from '../chaos/framework/fixtures.ts'
import type { Random } from '../chaos/framework/random.ts'
import { FAILURES, type Failure, type ReplicatedCluster } from './replicated-cluster.ts'

/** Times are milliseconds since 1970. */
export interface Promotion {
  failure: Failure
  /** When the standby stopped to receive changes; before the failure if replication lagged. */
  lastReplicatedAt: number
  promotedAt: number
  /** When the first request and the first transaction after the promotion succeeded. */
  apiBackAt: number
  eventsBackAt: number
}

export interface PromotionOptions {
  promotions: number
  seconds: number
  /** How long replication lags behind before the failure, at most. Only for an asynchronous standby. */
  maxLagMs: number
  /** The times of everything that was confirmed so far. */
  lastChunkAt(): number
  lastEventAt(): number
}

/** A service that is not back by then is reported as never back. */
const GIVE_UP_MS = 60_000
const POLL_MS = 20

/** Promotes the standby again and again, each time after another failure of the primary. */
export function schedulePromotions(
  fixtures: Fixtures,
  cluster: ReplicatedCluster,
  random: Random,
  options: PromotionOptions,
) {
  const promotions: Promotion[] = []
  const confirmedByOld: string[] = []

  async function promoteAfter(failure: Failure): Promise<void> {
    const promotion: Promotion = {
      failure,
      lastReplicatedAt: 0,
      promotedAt: 0,
      apiBackAt: Number.POSITIVE_INFINITY,
      eventsBackAt: Number.POSITIVE_INFINITY,
    }
    promotions.push(promotion)
    await schedule.record(failure, cluster.primary.name, async () => {
      promotion.lastReplicatedAt = Date.now()
      if (options.maxLagMs > 0) {
        cluster.primary.proxies.replication.set('black hole')
        await pause(random.between(options.maxLagMs / 4, options.maxLagMs))
      }
      await cluster.failOver(failure, random.between(200, 3_000))
      promotion.promotedAt = Date.now()
      await Promise.all([
        after(promotion.promotedAt, options.lastChunkAt).then((at) =>
          Object.assign(promotion, { apiBackAt: at }),
        ),
        after(promotion.promotedAt, options.lastEventAt).then((at) =>
          Object.assign(promotion, { eventsBackAt: at }),
        ),
      ])
      confirmedByOld.push(...(await cluster.comeBack(failure)))
    })
    await fixtures.waits.for('the standby to be rebuilt', cluster.rebuildStandby())
    const [api, events] = [promotion.apiBackAt, promotion.eventsBackAt].map((at) => at - promotion.promotedAt)
    console.log(
      `promotion ${promotions.length}: ${failure}; API back after ${api} ms, events after ${events} ms`,
    )
  }

  const schedule: FaultSchedule = new FaultSchedule(fixtures, random, {
    faults: options.promotions,
    seconds: options.seconds,
    concurrency: 1,
    first: options.promotions < FAILURES.length ? FAILURES.slice(0, options.promotions) : [...FAILURES],
    weights: options.promotions < FAILURES.length ? [] : FAILURES.map((failure) => [failure, 1]),
    points: [],
    custom: Object.fromEntries(FAILURES.map((failure) => [failure, () => promoteAfter(failure)])),
    committers: [],
    provoke: () => {},
  })
  return { schedule, promotions, confirmedByOld }
}

async function after(since: number, last: () => number): Promise<number> {
  while (last() <= since) {
    if (Date.now() > since + GIVE_UP_MS) return Number.POSITIVE_INFINITY
    await pause(POLL_MS)
  }
  return last()
}
