import type { Context, PreparedRun, Row, Scenario, Violations } from '../chaos/framework/chaos-run.ts'
import type { Findings } from '../chaos/webhooks/checker.ts'
import { type LoadSize, startLoad } from './load.ts'
import type { Loss } from './losses.ts'
import { type Promotion, schedulePromotions } from './promotions.ts'
import { ReplicatedCluster } from './replicated-cluster.ts'

export interface FailoverSize extends LoadSize {
  dispatchers: number
  /** For an asynchronous standby: how long replication lags behind at most, in milliseconds. 0: the standby is synchronous. */
  lag: number
}

const BACK_WITHIN_MS = 15_000
/** Between a commit and the line of the producer that reports it. */
const TOLERANCE_MS = 1_000

/** A PostgreSQL primary fails under load, and its standby is promoted, again and again. */
export function failover(size: FailoverSize): Scenario<FailoverSize> {
  let cluster: ReplicatedCluster
  return {
    full: size,
    short: size,
    startCluster: async (folder) => {
      cluster = await ReplicatedCluster.start(folder, size.lag === 0)
      return {
        url: cluster.url,
        serviceUrl: cluster.url,
        password: cluster.password,
        query: (text, values) => cluster.query(text, values),
        crash: () => cluster.primary.kill(),
        stop: () => cluster.stop(),
      }
    },
    prepare: (context) => prepare(context, cluster),
  }
}

async function prepare(context: Context<FailoverSize>, cluster: ReplicatedCluster): Promise<PreparedRun> {
  const { fixtures, size, random } = context
  const load = await startLoad(context, { dispatchers: size.dispatchers, closesConnections: false })
  const { producer, uploads } = load
  const { schedule, promotions, confirmedByOld } = schedulePromotions(
    fixtures,
    cluster,
    random.fork('faults'),
    {
      promotions: size.faults,
      seconds: size.seconds,
      maxLagMs: size.lag,
      lastChunkAt: () => uploads.confirmed.at(-1)?.at ?? 0,
      lastEventAt: () => [...producer.confirmedAt.values()].at(-1) ?? 0,
    },
  )

  return {
    schedule,
    chaos: () => schedule.run(),
    quiet: load.quiet,
    describeProgress: async () => [`${producer.committed.size} events, ${promotions.length} promotions`],
    secrets: load.secrets,
    check: async () => {
      const { findings, lost, losses, ...outcome } = await load.check(schedule.faults)
      const rows: Row[] = [...outcome.rows, ...backRows(promotions, findings)]
      const common: Violations = { ...outcome.errors, 'back too late': findLate(promotions, findings) }
      if (size.lag > 0)
        return {
          rows: [
            ...rows,
            ['conversations confirmed and lost', uploads.unknown.size],
            ...lossRows(lost, promotions),
          ],
          violations: { ...common, ...findUnexplained(lost, promotions) },
        }
      return {
        rows,
        violations: { ...losses, ...common, 'confirmed by the old primary': confirmedByOld },
      }
    },
  }
}

/** When the first event that began after the promotion was received. */
const deliveredAt = ({ promotedAt }: Promotion, { receipts }: Findings): number =>
  receipts.reduce(
    (first, { began, at }) => (began > promotedAt ? Math.min(first, at) : first),
    Number.POSITIVE_INFINITY,
  )

const timesBack = (promotion: Promotion, findings: Findings): [name: string, ms: number][] =>
  [
    ['API', promotion.apiBackAt] as const,
    ['transactions', promotion.eventsBackAt] as const,
    ['deliveries', deliveredAt(promotion, findings)] as const,
  ].map(([name, at]) => [name, at - promotion.promotedAt])

function backRows(promotions: Promotion[], findings: Findings): Row[] {
  const all = promotions.flatMap((promotion) => timesBack(promotion, findings))
  return [...Map.groupBy(all, ([name]) => name)].map(([name, times]): Row => {
    const sorted = times.map(([, ms]) => ms / 1000).toSorted((one, other) => one - other)
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0
    return [
      `${name} back after the promotion`,
      `median ${median.toFixed(1)} s, longest ${sorted.at(-1)?.toFixed(1)} s`,
    ]
  })
}

const findLate = (promotions: Promotion[], findings: Findings): string[] =>
  promotions.flatMap((promotion, index) =>
    timesBack(promotion, findings)
      .filter(([, ms]) => ms > BACK_WITHIN_MS)
      .map(
        ([name, ms]) =>
          `${name} ${(ms / 1000).toFixed(1)} s after promotion ${index + 1} (${promotion.failure})`,
      ),
  )

const wasReplicated = ({ confirmedAt }: Loss, promotions: Promotion[]): boolean =>
  !promotions.some(
    ({ lastReplicatedAt, promotedAt }) =>
      confirmedAt > lastReplicatedAt - TOLERANCE_MS && confirmedAt < promotedAt + TOLERANCE_MS,
  )

const findUnexplained = (lost: Record<string, Loss[]>, promotions: Promotion[]): Violations => ({
  'lost although replicated': Object.values(lost)
    .flat()
    .filter((loss) => wasReplicated(loss, promotions))
    .map(({ what }) => what),
})

function lossRows({ events, chunks }: { events: Loss[]; chunks: Loss[] }, promotions: Promotion[]): Row[] {
  const count = (losses: Loss[], { lastReplicatedAt, promotedAt }: Promotion) =>
    losses.filter((one) => one.confirmedAt > lastReplicatedAt - TOLERANCE_MS && one.confirmedAt < promotedAt)
      .length
  return promotions.map((promotion, index): Row => {
    const seconds = (promotion.promotedAt - promotion.lastReplicatedAt) / 1000
    return [
      `  promotion ${index + 1}, ${promotion.failure}`,
      `${count(events, promotion)} events and ${count(chunks, promotion)} chunks lost; last replicated ${seconds.toFixed(1)} s before`,
    ]
  })
}
