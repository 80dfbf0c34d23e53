import { setTimeout as pause } from 'node:timers/promises'
import type { Context, PreparedRun, Scenario, Size } from '../framework/chaos-run.ts'
import { createProjects } from '../framework/fixtures.ts'
import { startApiTraffic } from './api-traffic.ts'
import { check, type Findings } from './checker.ts'
import { CANARY } from './domain-events.ts'
import { createLedger, readBacklog, readEvidence } from './evidence.ts'
import { createSchedule, FLAPPING, flapSurvivor, LEASE_SECONDS } from './faults.ts'
import { startProducer } from './producer.ts'
import { startReceiver } from './receiver.ts'
import { findWrongWebhooks, planSubscriptions, subscribe } from './subscriptions.ts'

interface WebhooksSize extends Size {
  events: number
  dispatchers: number
  /** Receivers that subscribe while the API is being killed. */
  late: number
  /** The average time in seconds between two disconnections of the dispatcher that is never killed. */
  flapping: number
}

export const webhooks: Scenario<WebhooksSize> = {
  full: { seconds: 600, faults: 220, events: 20_000, dispatchers: 3, late: 10, flapping: 0.9, within: 3600 },
  short: { seconds: 20, faults: 13, events: 100, dispatchers: 2, late: 4, flapping: 2.5, within: 450 },
  prepare,
}

const SETTINGS = { WEBHOOK_ALLOW_HTTP: 'on', WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8' }
/**
 * The backlog of healthy receivers must drain within two leases after the last process is up: one until other dispatchers take
 * over the endpoint queues of the dead ones, and one to deliver.
 */
const DRAIN_LEASES = 2
/** Longer than the limit, to distinguish a late delivery from a lost one. */
const DRAIN_TIMEOUT_SECONDS = 45

async function prepare({ fixtures, size, seed, random, more }: Context<WebhooksSize>): Promise<PreparedRun> {
  const { cluster, waits } = fixtures
  const client = fixtures.createClient(random.fork('user').uuid())
  await createLedger(cluster)
  await fixtures.startApis(SETTINGS)
  const numbers = Array.from({ length: size.dispatchers }, (_, index) => `dispatcher-${index + 1}`)
  for (const name of [...numbers, 'survivor'])
    await fixtures.startService(name, { ...SETTINGS, ROLES: 'worker' })
  const projects = await createProjects(client)
  const plans = planSubscriptions(projects, random.fork('receivers'))
  const receiver = await startReceiver(fixtures.folder, seed, plans)
  fixtures.onStop(() => receiver.stop())
  const late = plans.filter(({ behaviour }) => behaviour === 'ok').slice(0, size.late)
  const early = plans.filter((plan) => !late.includes(plan))
  // Faster than needed, because faults hit the producer too.
  const perSecond = (1.2 * size.events) / size.seconds
  const [producer, ...subscriptions] = await Promise.all([
    startProducer(fixtures, { seed, projects, perSecond }),
    ...early.map((plan) => subscribe(client, receiver, plan)),
  ])
  const traffic = startApiTraffic(client, receiver, subscriptions, late, random.fork('traffic'))
  const schedule = createSchedule(fixtures, traffic, random.fork('faults'), {
    ...size,
    more,
    isEnough: () => producer.committed.size >= size.events,
  })
  const quietPhase = { from: Date.now(), delaySeconds: 0 }
  let openReplays: string[] = []
  let wrongWebhooks: string[] = []

  return {
    schedule,
    chaos: () => flapSurvivor(schedule, fixtures, random.fork('survivor'), size.flapping, schedule.run()),
    quiet: async () => {
      const healthy = subscriptions.flatMap(({ behaviour, webhookId }) =>
        behaviour === 'ok' ? [webhookId] : [],
      )
      let backlog = await readBacklog(cluster, healthy)
      Object.assign(quietPhase, { from: Date.now(), delaySeconds: backlog.delaySeconds })
      await waits.for(
        'the producer and the API traffic to stop',
        Promise.all([producer.process.stop(), traffic.stop()]),
      )
      const deadline = Date.now() + (DRAIN_TIMEOUT_SECONDS + backlog.delaySeconds) * 1000
      while (backlog.pending > 0 && Date.now() < deadline) {
        await pause(100)
        backlog = await readBacklog(cluster, healthy)
      }
      openReplays = await waits.for('the replays to end', traffic.findOpenReplays())
      wrongWebhooks = await findWrongWebhooks(client, subscriptions)
    },
    describeProgress: async () => [`${producer.committed.size} events were committed`],
    secrets: () => [CANARY, ...plans.flatMap(({ secret }) => secret ?? [])],
    check: async () => {
      const evidence = await readEvidence(cluster, receiver)
      const findings = check(evidence, subscriptions, schedule.faults)
      const drained = longestWait(findings, quietPhase.from)
      // Retries that the service had scheduled by then, because faults made attempts at healthy receivers fail, take longer.
      const limit = DRAIN_LEASES * LEASE_SECONDS + quietPhase.delaySeconds
      const drain = `${drained.toFixed(1)} s, limit ${limit.toFixed(1)} s`
      const [confirmed, committed] = [producer.committed.size, evidence.ledger.length]
      return {
        rows: [...findings.rows, ['healthy backlog drained in', drain]],
        violations: {
          ...findings.violations,
          'drained too late': drained > limit ? [drain] : [],
          'confirmed but not committed': confirmed > committed ? [`${confirmed} against ${committed}`] : [],
          'too few events': committed < size.events ? [String(committed)] : [],
          'survivor never disconnected': schedule.countByKind().has(FLAPPING) ? [] : ['0'],
          'replay not done': openReplays,
          'wrong webhook': wrongWebhooks,
          'wrong response of the API': traffic.wrongResponses,
          'error in the producer': producer.errors,
        },
      }
    },
  }
}

/** In seconds, from the start of the quiet phase (or of a later transaction) until the event was received. */
function longestWait({ receipts }: Findings, from: number): number {
  const waits = receipts.map(({ began, at }) => at - Math.max(from, began)).filter(Number.isFinite)
  return waits.reduce((longest, wait) => Math.max(longest, wait), 0) / 1000
}
