import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import {
  type Context,
  listCounts,
  type Row,
  type Size,
  type Violations,
} from '../chaos/framework/chaos-run.ts'
import type { Fault } from '../chaos/framework/fault-schedule.ts'
import { createProjects } from '../chaos/framework/fixtures.ts'
import { check, type Findings } from '../chaos/webhooks/checker.ts'
import { CANARY } from '../chaos/webhooks/domain-events.ts'
import { createLedger, readBacklog, readEvidence } from '../chaos/webhooks/evidence.ts'
import { type Producer, startProducer } from '../chaos/webhooks/producer.ts'
import { startReceiver } from '../chaos/webhooks/receiver.ts'
import { planSubscriptions, subscribe } from '../chaos/webhooks/subscriptions.ts'
import { type ChunkUploads, startChunkUploads } from './chunk-uploads.ts'
import { findLosses, type Loss } from './losses.ts'

export interface LoadSize extends Size {
  eventsPerSecond: number
}

export interface LoadOptions {
  dispatchers: number
  /** Whether the API can close the connection of an upload without a response. */
  closesConnections: boolean
}

/** Events for healthy receivers, and uploads of chunks, while something happens to the processes or to PostgreSQL. */
export interface Load {
  producer: Producer
  uploads: ChunkUploads
  /** Stops the load, and waits until everything is delivered. */
  quiet(): Promise<void>
  secrets(): string[]
  /** Called after all processes have stopped. */
  check(faults: Fault[]): Promise<Outcome>
}

interface Outcome {
  findings: Findings
  rows: Row[]
  errors: Violations
  lost: Record<'events' | 'chunks', Loss[]>
  /** Everything that had been confirmed and was lost. */
  losses: Violations
}

const RECEIVERS = 12
const DRAIN_TIMEOUT_MS = 60_000

/** Starts the processes of the service, and the load. */
export async function startLoad(
  { fixtures, size, seed, random }: Context<LoadSize>,
  { dispatchers, closesConnections }: LoadOptions,
): Promise<Load> {
  const settings = {
    WEBHOOK_ALLOW_HTTP: 'on',
    WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
    FILES_URL: pathToFileURL(join(fixtures.folder, 'files')).href,
    // No server listens there: jobs are retried, and the transcription of the chunks takes no CPU time from the test.
    TRANSCRIBER: 'openai',
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
  }
  const { cluster } = fixtures
  await fixtures.startApis(settings)
  for (let number = 1; number <= dispatchers; number++)
    await fixtures.startService(`dispatcher-${number}`, { ...settings, ROLES: 'worker' })
  await fixtures.up()
  await createLedger(cluster)
  const client = fixtures.createClient(random.fork('user').uuid())
  const [uploadProject = '', ...projects] = await createProjects(client)
  const plans = planSubscriptions(projects, random.fork('receivers'))
    .filter(({ behaviour }) => behaviour === 'ok')
    .slice(0, RECEIVERS)
  const receiver = await startReceiver(fixtures.folder, seed, plans)
  fixtures.onStop(() => receiver.stop())
  const subscriptions = await Promise.all(plans.map((plan) => subscribe(client, receiver, plan)))
  const webhookIds = subscriptions.map(({ webhookId }) => webhookId)
  const producer = await startProducer(fixtures, { seed, projects, perSecond: size.eventsPerSecond })
  const uploads = startChunkUploads(() => fixtures.apiUrl, uploadProject, closesConnections)

  return {
    producer,
    uploads,
    quiet: async () => {
      await Promise.all([producer.process.stop(), uploads.stop()])
      const deadline = Date.now() + DRAIN_TIMEOUT_MS
      while ((await readBacklog(cluster, webhookIds)).pending > 0 && Date.now() < deadline) await pause(100)
    },
    secrets: () => [CANARY, ...plans.flatMap(({ secret }) => secret ?? [])],
    check: async (faults) => {
      const evidence = await readEvidence(cluster, receiver)
      // The uploads have events, too, which no ledger lists.
      const events = evidence.events.filter(({ project_id }) => projects.includes(project_id))
      const findings = check({ ...evidence, events }, subscriptions, faults)
      const lost = await findLosses(cluster, producer, seed, projects, uploads.confirmed)
      return {
        findings,
        rows: [
          ...findings.rows,
          ['events confirmed, lost', `${producer.committed.size}, ${lost.events.length}`],
          ['chunks confirmed, lost', `${uploads.confirmed.length}, ${lost.chunks.length}`],
          ['responses to uploads', listCounts(uploads.statuses)],
        ],
        errors: {
          'wrong response of the API': uploads.wrongResponses,
          'error in the producer': producer.errors,
        },
        lost,
        losses: {
          ...findings.violations,
          'confirmed event lost': lost.events.map(({ what }) => what),
          'confirmed chunk lost': lost.chunks.map(({ what }) => what),
          'confirmed conversation lost': [...uploads.unknown],
        },
      }
    },
  }
}
