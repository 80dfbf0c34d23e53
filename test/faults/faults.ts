import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { DELIVERY_FAULTS } from '../../server/kernel/fault-points.ts'
import { findOpenReplays, type Latecomer, startChatter } from './chatter.ts'
import { judge, type Verdict } from './checker.ts'
import { gather, readBacklog } from './evidence.ts'
import { type Random, seeded } from './random.ts'
import type { ReceiverPlan } from './receiver.ts'
import { FAULT_KINDS, type Fault, LEASE_SECONDS, Storm } from './storm.ts'
import {
  createProjects,
  findWrongWebhooks,
  planReceivers,
  type Subscription,
  subscribe,
} from './subscriptions.ts'
import { type Part, World } from './world.ts'

export interface FaultsOptions {
  seed: string
  /** Of the storm; it ends when the kills and the events are there, too. */
  seconds: number
  events: number
  kills: number
  dispatchers: number
  latecomers: number
}

export interface Outcome {
  seed: string
  verdict: Verdict
  faults: Fault[]
  kills: number
  firings: Map<string, number>
  drain: { seconds: number; limit: number; owed: number }
  took: { setUp: number; storm: number; calm: number; all: number }
  restarts: Map<string, number>
  /** Everything that must not be; empty when all is well. */
  violations: Map<string, string[]>
}

/** What the backlog of healthy receivers may take to drain once every fault is over and every process is up. */
const DRAIN_LEASES = 2
/** Beyond it we still wait a little, so as to tell "late" from "never". */
const GIVE_UP_SECONDS = 45

export async function runFaults(options: FaultsOptions): Promise<Outcome> {
  const began = performance.now()
  const random = seeded(options.seed)
  const plans = planReceivers(random.of('receivers'))
  const { seed, dispatchers } = options
  const user = random.of('user').uuid()
  const world = await World.start({ seed, dispatchers, receivers: plans, user })
  let passed = false
  try {
    const outcome = await inWorld(world, options, plans, random, began)
    passed = outcome.violations.size === 0
    return outcome
  } finally {
    await world.stop()
    // What a failed run wrote is the evidence.
    if (passed) await world.remove()
    else process.stdout.write(`The logs are in ${world.folder}\n`)
  }
}

async function inWorld(
  world: World,
  options: FaultsOptions,
  plans: ReceiverPlan[],
  random: Random,
  began: number,
): Promise<Outcome> {
  const { client, progress } = world
  const projects = await createProjects(client)
  const placed = plans.map((plan, index) => ({
    plan,
    projectId: projects[index % projects.length] as string,
  }))
  const latecomers = chooseLatecomers(placed, options.latecomers)
  const subscriptions: Subscription[] = await Promise.all(
    placed
      .filter((one) => !latecomers.includes(one))
      .map(({ plan, projectId }) => subscribe(client, world.receiver, plan, projectId)),
  )
  // Faster than needed: it is killed and cut off as well.
  const producer = await world.startProducer(projects, (1.2 * options.events) / options.seconds)
  const chatter = startChatter(client, world.receiver, subscriptions, latecomers, random.of('chatter'))
  const storm = new Storm(world, producer, random.of('storm'), {
    ...options,
    isEnough: () => progress.committed.size >= options.events,
    beforeApiDies: chatter.subscribeNext,
    askForReplay: chatter.askForReplay,
  })
  const stormBegan = performance.now()
  await storm.run()
  const stormEnded = performance.now()

  const drain = await drainAll(world, producer, () => chatter.stop(), subscriptions)
  const openReplays = await findOpenReplays(client, chatter)
  const wrongWebhooks = await findWrongWebhooks(client, subscriptions)
  await world.stopProcesses()

  const evidence = await gather(world)
  const verdict = judge(evidence, subscriptions, storm.faults)
  const seconds = longestWait(verdict, drain.from)
  const limit = DRAIN_LEASES * LEASE_SECONDS + drain.owed
  const unfired = storm.unfired()
  const committedKeys = evidence.ledger.length
  const violations = {
    ...verdict.violations,
    'unexplained duplicate': verdict.duplicates.unexplained,
    'drained too late': seconds > limit ? [`${seconds.toFixed(1)} s, at most ${limit.toFixed(1)} s`] : [],
    'acknowledged but not in the ledger':
      progress.committed.size > committedKeys ? [`${progress.committed.size} against ${committedKeys}`] : [],
    'too few events': committedKeys < options.events ? [String(committedKeys)] : [],
    'too few kills': storm.kills < options.kills ? [String(storm.kills)] : [],
    'fault point never fired': unfired,
    'kind of fault never tried': FAULT_KINDS.filter((kind) => !storm.faults.some((one) => one.kind === kind)),
    'ended by itself': world.parts.flatMap(({ process }) =>
      process.surprises.map(({ name, how }) => `${name}: ${how}`),
    ),
    'secret in a log': await findSecrets(world),
    'replay not done': openReplays,
    'wrong webhook': wrongWebhooks,
    'wrong answer of the API': chatter.wrong,
    'trouble of the producer': progress.trouble,
  }
  const now = performance.now()
  return {
    seed: options.seed,
    verdict,
    faults: storm.faults,
    kills: storm.kills,
    firings: countFirings(world),
    drain: { seconds, limit, owed: drain.owed },
    took: {
      setUp: (stormBegan - began) / 1000,
      storm: (stormEnded - stormBegan) / 1000,
      calm: (now - stormEnded) / 1000,
      all: (now - began) / 1000,
    },
    restarts: new Map(world.parts.map(({ process }) => [process.name, process.starts - 1])),
    violations: new Map(Object.entries(violations).filter(([, found]) => found.length > 0)),
  }
}

/** Healthy ones, who subscribe while the API dies. */
const chooseLatecomers = (placed: Latecomer[], count: number): Latecomer[] =>
  placed.filter(({ plan }) => plan.behaviour === 'ok').slice(0, count)

/**
 * The storm is over and every process has come up. From then on the backlog of the healthy receivers has two leases: one
 * until the lanes of the dead are taken over, one to deliver. On top comes only what the service had decided by then about
 * its own retries, because faults of ours made attempts at healthy receivers fail.
 */
async function drainAll(
  world: World,
  producer: Part,
  stopChatter: () => Promise<void>,
  subscriptions: readonly Subscription[],
): Promise<{ from: number; owed: number }> {
  await world.up()
  const healthy = subscriptions
    .filter(({ behaviour }) => behaviour === 'ok')
    .map(({ webhookId }) => webhookId)
  const from = Date.now()
  const client = new pg.Client(world.cluster.url)
  await client.connect()
  try {
    let backlog = await readBacklog(client, healthy)
    const owed = backlog.owedSeconds
    await Promise.all([producer.process.stop(), stopChatter()])
    const deadline = from + (GIVE_UP_SECONDS + owed) * 1000
    while (backlog.pending > 0 && Date.now() < deadline) {
      await pause(100)
      backlog = await readBacklog(client, healthy)
    }
    return { from, owed }
  } finally {
    await client.end()
  }
}

/** Seconds, from the end of the storm or from its own beginning, until the last owed event was received. */
function longestWait({ receipts }: Verdict, from: number): number {
  const waits = receipts.map(({ began, at }) => at - Math.max(from, began))
  return (
    waits.reduce((longest, wait) => (Number.isFinite(wait) ? Math.max(longest, wait) : longest), 0) / 1000
  )
}

function countFirings(world: World): Map<string, number> {
  const all = world.parts.flatMap(({ process }) => process.firings())
  return new Map(DELIVERY_FAULTS.map((point) => [point, all.filter((fired) => fired === point).length]))
}

async function findSecrets(world: World): Promise<string[]> {
  const found: string[] = []
  for (const part of world.parts) {
    const text = await world.logOf(part)
    for (const [index, secret] of world.secrets.entries())
      if (text.includes(secret)) found.push(`number ${index} in the log of ${part.process.name}`)
  }
  return found
}
