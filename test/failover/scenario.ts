import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import {
  type Context,
  listCounts,
  type PreparedRun,
  type Row,
  type Scenario,
  type Size,
  type Violations,
} from '../chaos/framework/chaos-run.ts'
import { createProjects } from '../chaos/framework/fixtures.ts'
import { check, type Findings } from '../chaos/webhooks/checker.ts'
import { CANARY } from '../chaos/webhooks/domain-events.ts'
import { createLedger, readBacklog, readEvidence } from '../chaos/webhooks/evidence.ts'
import { startProducer } from '../chaos/webhooks/producer.ts'
import { startReceiver } from '../chaos/webhooks/receiver.ts'
import { planSubscriptions, subscribe } from '../chaos/webhooks/subscriptions.ts'
import { startChunkUploads } from './chunk-uploads.ts'
import { findLosses, type Loss } from './losses.ts'
import { type Promotion, schedulePromotions } from './promotions.ts'
import { ReplicatedCluster } from './replicated-cluster.ts'

export interface FailoverSize extends Size {
  dispatchers: number
  eventsPerSecond: number
  /** For an asynchronous standby: how long replication lags behind at most, in milliseconds. 0: the standby is synchronous. */
  lag: number
}

const BACK_WITHIN_MS = 15_000
const RECEIVERS = 12
const DRAIN_TIMEOUT_MS = 60_000
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
  const { fixtures, size, seed, random } = context
  const settings = {
    WEBHOOK_ALLOW_HTTP: 'on',
    WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
    FILES_URL: pathToFileURL(join(fixtures.folder, 'files')).href,
    // No server listens there: jobs are retried, and the transcription of the chunks takes no CPU time from the test.
    TRANSCRIBER: 'openai',
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
  }
  const client = fixtures.createClient(random.fork('user').uuid())
  await createLedger(fixtures.cluster)
  await fixtures.startService('api', { ...settings, ROLES: 'api' })
  for (let number = 1; number <= size.dispatchers; number++)
    await fixtures.startService(`dispatcher-${number}`, { ...settings, ROLES: 'worker' })
  await fixtures.up()
  const [uploadProject = '', ...projects] = await createProjects(client)
  const plans = planSubscriptions(projects, random.fork('receivers'))
    .filter(({ behaviour }) => behaviour === 'ok')
    .slice(0, RECEIVERS)
  const receiver = await startReceiver(fixtures.folder, seed, plans)
  fixtures.onStop(() => receiver.stop())
  const subscriptions = await Promise.all(plans.map((plan) => subscribe(client, receiver, plan)))
  const producer = await startProducer(fixtures, { seed, projects, perSecond: size.eventsPerSecond })
  const uploads = startChunkUploads(() => fixtures.apiUrl, uploadProject)
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
  const webhookIds = subscriptions.map(({ webhookId }) => webhookId)

  return {
    schedule,
    chaos: () => schedule.run(),
    quiet: async () => {
      await Promise.all([producer.process.stop(), uploads.stop()])
      const deadline = Date.now() + DRAIN_TIMEOUT_MS
      while ((await readBacklog(fixtures.cluster, webhookIds)).pending > 0 && Date.now() < deadline)
        await pause(100)
    },
    describeProgress: async () => [`${producer.committed.size} events, ${promotions.length} promotions`],
    secrets: () => [CANARY, ...plans.flatMap(({ secret }) => secret ?? [])],
    check: async () => {
      const evidence = await readEvidence(fixtures.cluster, receiver)
      // The uploads have events, too, which no ledger lists.
      const events = evidence.events.filter(({ project_id }) => projects.includes(project_id))
      const findings = check({ ...evidence, events }, subscriptions, schedule.faults)
      const lost = await findLosses(cluster, producer, seed, projects, uploads.confirmed)
      const rows: Row[] = [
        ...findings.rows,
        ['events confirmed, lost', `${producer.committed.size}, ${lost.events.length}`],
        ['chunks confirmed, lost', `${uploads.confirmed.length}, ${lost.chunks.length}`],
        ['responses to uploads', listCounts(uploads.statuses)],
        ...backRows(promotions, findings),
      ]
      const common: Violations = {
        'wrong response of the API': uploads.wrongResponses,
        'error in the producer': producer.errors,
        'back too late': findLate(promotions, findings),
      }
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
        violations: {
          ...findings.violations,
          ...common,
          'confirmed event lost': lost.events.map(({ what }) => what),
          'confirmed chunk lost': lost.chunks.map(({ what }) => what),
          'confirmed conversation lost': [...uploads.unknown],
          'confirmed by the old primary': confirmedByOld,
        },
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
