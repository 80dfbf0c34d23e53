import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { DELIVERY_FAULTS } from '../../platform/fault-points.ts'
import { type Chatter, findOpenReplays, type Latecomer, startChatter } from './chatter.ts'
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
import { endsWithin, inTime, Waits } from './waits.ts'
import { type Part, World } from './world.ts'

export interface FaultsOptions {
  seed: string
  /** Of the storm; it ends when the kills and the events are there, too. */
  seconds: number
  events: number
  kills: number
  dispatchers: number
  latecomers: number
  /** Of everything: whatever is waited for then never came. */
  withinSeconds: number
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
  const waits = new Waits()
  const leftMs = () => began + options.withinSeconds * 1000 - performance.now()
  const starting = World.start({ seed, dispatchers, receivers: plans, user, waits })
  const world = await inTime(waits, starting, leftMs())
  let passed = false
  try {
    const outcome = await inWorld(world, options, { plans, random, began, leftMs })
    passed = outcome.violations.size === 0
    return outcome
  } finally {
    await world.stop()
    // What a failed run wrote is the evidence.
    if (passed) await world.remove()
    else process.stdout.write(`The logs are in ${world.folder}\n`)
  }
}

interface Circumstances {
  plans: ReceiverPlan[]
  random: Random
  began: number
  /** Of the run's time. */
  leftMs(): number
}

async function inWorld(
  world: World,
  options: FaultsOptions,
  { plans, random, began, leftMs }: Circumstances,
): Promise<Outcome> {
  const { client, progress, waits } = world
  const ready = <T>(what: string, work: Promise<T>) => inTime(waits, waits.for(what, work), leftMs())
  const projects = await ready('the projects to be made', createProjects(client))
  const placed = plans.map((plan, index) => ({
    plan,
    projectId: projects[index % projects.length] as string,
  }))
  const latecomers = chooseLatecomers(placed, options.latecomers)
  const early = placed.filter((one) => !latecomers.includes(one))
  const subscriptions: Subscription[] = await ready(
    'the receivers to be subscribed',
    Promise.all(early.map(({ plan, projectId }) => subscribe(client, world.receiver, plan, projectId))),
  )
  // Faster than needed: it is killed and cut off as well.
  const perSecond = (1.2 * options.events) / options.seconds
  const producer = await inTime(waits, world.startProducer(projects, perSecond), leftMs())
  const chatter = startChatter(client, world.receiver, subscriptions, latecomers, random.of('chatter'))
  const storm = new Storm(world, producer, random.of('storm'), {
    ...options,
    isEnough: () => progress.committed.size >= options.events,
    beforeApiDies: chatter.subscribeNext,
    askForReplay: chatter.askForReplay,
  })
  const stormBegan = performance.now()
  const aftermath = { ...NOTHING_YET, from: Date.now(), stormEnded: stormBegan }
  const isOver = await endsWithin(
    rage(world, { storm, producer, chatter, subscriptions }, aftermath),
    leftMs(),
  )
  if (!isOver) {
    storm.abandon()
    tellWhatIsMissing(world)
  }
  await world.stopProcesses()

  const evidence = await gather(world)
  const verdict = judge(evidence, subscriptions, storm.faults)
  const { stormEnded, owed } = aftermath
  const seconds = longestWait(verdict, aftermath.from)
  const limit = DRAIN_LEASES * LEASE_SECONDS + owed
  const unfired = storm.unfired()
  const committedKeys = evidence.ledger.length
  const violations = {
    ...verdict.violations,
    'out of time': isOver ? [] : [`after ${options.withinSeconds} s, see above`],
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
    'replay not done': aftermath.openReplays,
    'wrong webhook': aftermath.wrongWebhooks,
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
    drain: { seconds, limit, owed },
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

interface Players {
  storm: Storm
  producer: Part
  chatter: Chatter
  subscriptions: readonly Subscription[]
}

/** What is known once the storm is over. */
interface Aftermath {
  stormEnded: number
  /** When everybody was up again; milliseconds since 1970. */
  from: number
  /** Seconds that the service had put its own retries off by then. */
  owed: number
  openReplays: string[]
  wrongWebhooks: string[]
}
const NOTHING_YET = { owed: 0, openReplays: [], wrongWebhooks: [] }

/** Everything is hurt; then all is calm, and everything comes to an end. */
async function rage(world: World, players: Players, aftermath: Aftermath): Promise<void> {
  const { storm, producer, chatter, subscriptions } = players
  const { client, waits } = world
  await waits.for('the storm', storm.run())
  aftermath.stormEnded = performance.now()
  Object.assign(aftermath, await drainAll(world, producer, () => chatter.stop(), subscriptions))
  aftermath.openReplays = await waits.for('the replays', findOpenReplays(client, chatter))
  aftermath.wrongWebhooks = await waits.for('the webhooks', findWrongWebhooks(client, subscriptions))
}

/** At once, as nobody knows what else can still be told. */
function tellWhatIsMissing({ waits, parts, progress }: World): void {
  const troubles = parts.flatMap(({ process }) => process.trouble)
  const committed = `${progress.committed.size} events were committed`
  console.log(['It goes on no more:', ...waits.list(), ...troubles, committed].join('\n    '))
}

/** Healthy ones, who subscribe while the API dies. */
const chooseLatecomers = (placed: Latecomer[], count: number): Latecomer[] =>
  placed.filter(({ plan }) => plan.behaviour === 'ok').slice(0, count)

/**
 * The storm is over and every process has come up. From then on the backlog of the healthy receivers has two leases: one
 * until the queues of the dead are taken over, one to deliver. On top comes only what the service had decided by then about
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
    await world.waits.for(
      'the producer and the chatter to end',
      Promise.all([producer.process.stop(), stopChatter()]),
    )
    const deadline = Date.now() + (GIVE_UP_SECONDS + owed) * 1000
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
