import { execFileSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import {
  type Context,
  listCounts,
  type PreparedRun,
  type Scenario,
  type Size,
} from '../chaos/framework/chaos-run.ts'
import { startCluster } from '../chaos/framework/cluster.ts'
import { FaultSchedule } from '../chaos/framework/fault-schedule.ts'
import { createProjects, SERVICE } from '../chaos/framework/fixtures.ts'
import { check } from '../chaos/webhooks/checker.ts'
import { CANARY } from '../chaos/webhooks/domain-events.ts'
import { createLedger, readBacklog, readEvidence } from '../chaos/webhooks/evidence.ts'
import { startProducer } from '../chaos/webhooks/producer.ts'
import { startReceiver } from '../chaos/webhooks/receiver.ts'
import { planSubscriptions, subscribe } from '../chaos/webhooks/subscriptions.ts'
import { startChunkUploads } from '../failover/chunk-uploads.ts'
import { findLosses } from '../failover/losses.ts'
import { installRelease } from '../support/release.ts'
import { CLUSTER } from './scenarios.ts'

export interface UpdateSize extends Size {
  eventsPerSecond: number
}

/** The oldest commit that can run beside this one: an update from an earlier one needs a short stop. */
const BEFORE = 'ac01059e35c1f7d618e80ea91e50d0045b233f39'
const PROCESSES = CLUSTER.apis + CLUSTER.workers
const RECEIVERS = 12
const DRAIN_TIMEOUT_MS = 60_000

/** The processes of a release are replaced by those of this version, one after the other, under load. */
export async function createUpdate(): Promise<Scenario<UpdateSize>> {
  const release = await installRelease(BEFORE)
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: release.folder, stdio: 'inherit' })
  let script = release.main
  const size: UpdateSize = { faults: PROCESSES, seconds: 60, within: 900, eventsPerSecond: 20 }
  return {
    full: size,
    short: { ...size, seconds: 20 },
    startCluster: (folder) => startCluster(folder, { migrates: false }),
    topology: { ...CLUSTER, script: () => script },
    prepare: (context) => {
      context.fixtures.onStop(() => rm(release.folder, { recursive: true, force: true }))
      return prepare(context, () => (script = SERVICE))
    },
  }
}

async function prepare(
  { fixtures, size, seed, random }: Context<UpdateSize>,
  update: () => void,
): Promise<PreparedRun> {
  const settings = {
    WEBHOOK_ALLOW_HTTP: 'on',
    WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
    FILES_URL: pathToFileURL(join(fixtures.folder, 'files')).href,
    // No server listens there: jobs are retried, and the transcription of the chunks takes no CPU time from the test.
    TRANSCRIBER: 'openai',
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
  }
  await fixtures.startApis(settings)
  for (let number = 1; number <= fixtures.topology.workers; number++)
    await fixtures.startService(`dispatcher-${number}`, { ...settings, ROLES: 'worker' })
  await fixtures.up()
  const services = [...fixtures.processes]
  await createLedger(fixtures.cluster)
  const client = fixtures.createClient(random.fork('user').uuid())
  const [uploadProject = '', ...projects] = await createProjects(client)
  const plans = planSubscriptions(projects, random.fork('receivers'))
    .filter(({ behaviour }) => behaviour === 'ok')
    .slice(0, RECEIVERS)
  const receiver = await startReceiver(fixtures.folder, seed, plans)
  fixtures.onStop(() => receiver.stop())
  const subscriptions = await Promise.all(plans.map((plan) => subscribe(client, receiver, plan)))
  const producer = await startProducer(fixtures, { seed, projects, perSecond: size.eventsPerSecond })
  const uploads = startChunkUploads(() => fixtures.apiUrl, uploadProject, true)
  const schedule: FaultSchedule = new FaultSchedule(fixtures, random.fork('faults'), {
    ...size,
    concurrency: 1,
    first: [],
    weights: [['update', 1]],
    points: [],
    committers: [],
    provoke: () => {},
    custom: {
      update: async () => {
        const process = services.shift()
        if (!process) return
        update()
        await schedule.record('update', process.name, () => process.replace())
      },
    },
  })
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
    describeProgress: async () => [`${producer.committed.size} events, ${services.length} processes left`],
    secrets: () => [CANARY, ...plans.flatMap(({ secret }) => secret ?? [])],
    check: async () => {
      const evidence = await readEvidence(fixtures.cluster, receiver)
      // The uploads have events, too, which no ledger lists.
      const events = evidence.events.filter(({ project_id }) => projects.includes(project_id))
      const { rows, violations } = check({ ...evidence, events }, subscriptions, schedule.faults)
      const lost = await findLosses(fixtures.cluster, producer, seed, projects, uploads.confirmed)
      return {
        rows: [
          ...rows,
          ['events confirmed, lost', `${producer.committed.size}, ${lost.events.length}`],
          ['chunks confirmed, lost', `${uploads.confirmed.length}, ${lost.chunks.length}`],
          ['responses to uploads', listCounts(uploads.statuses)],
        ],
        violations: {
          ...violations,
          'wrong response of the API': uploads.wrongResponses,
          'error in the producer': producer.errors,
          'confirmed event lost': lost.events.map(({ what }) => what),
          'confirmed chunk lost': lost.chunks.map(({ what }) => what),
          'confirmed conversation lost': [...uploads.unknown],
          'not updated': services.map(({ name }) => name),
        },
      }
    },
  }
}
