import { setTimeout as pause } from 'node:timers/promises'
import { seeded } from '../faults/random.ts'
import { createProjects } from '../faults/subscriptions.ts'
import { endsWithin, inTime, Waits } from '../faults/waits.ts'
import { judge, type Verdict } from './checker.ts'
import { gather, readJobs, readOpen } from './evidence.ts'
import { Host } from './host.ts'
import { Phones } from './phones.ts'
import { POINTS } from './points.ts'
import { CANARY } from './recording.ts'
import { FAULT_KINDS, Storm } from './storm.ts'
import { World } from './world.ts'

export interface FaultsOptions {
  seed: string
  conversations: number
  chunks: number
  faults: number
  /** Of the storm, where nothing holds it up. */
  seconds: number
  /** Phones at once. */
  phones: number
  /** What the drain may take; beyond it whatever is open counts as lost. */
  drainSeconds: number
  /** Of everything: whatever is waited for then never came. */
  withinSeconds: number
}

export interface Outcome {
  seed: string
  verdict: Verdict
  faults: Map<string, number>
  firings: Map<string, number>
  misbehaved: Map<string, number>
  statuses: Map<number, number>
  restarts: Map<string, number>
  took: { setUp: number; storm: number; drain: number; all: number }
  diskCanFill: boolean
  /** Everything that must not be; empty when all is well. */
  violations: Map<string, string[]>
}

const MEGABYTE = 1024 * 1024
/** A chunk is at most 0.75 s of 16 kHz; it lies there twice once it was joined, and erased ones for a while. */
const CHUNK_BYTES = 25_000
const CONVERSATIONS_PER_REPORT = 10

export async function runFaults(options: FaultsOptions): Promise<Outcome> {
  const began = performance.now()
  const { conversations, chunks } = options
  const megabytes = 48 + Math.ceil((2.2 * conversations * chunks * CHUNK_BYTES) / MEGABYTE)
  const waits = new Waits()
  const leftMs = () => began + options.withinSeconds * 1000 - performance.now()
  const world = await inTime(waits, World.start(options.seed, megabytes, waits), leftMs())
  let passed = false
  try {
    const outcome = await inWorld(world, options, began, leftMs)
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
  began: number,
  leftMs: () => number,
): Promise<Outcome> {
  const { waits } = world
  const random = seeded(options.seed)
  const client = world.clientOf(random.of('user').uuid())
  const projects = await inTime(waits, waits.for('the projects to be made', createProjects(client)), leftMs())
  const phones = new Phones({
    url: () => world.url,
    waits,
    projects,
    conversations: options.conversations,
    chunks: options.chunks,
    atOnce: options.phones,
    seconds: options.seconds,
    random: random.of('phones'),
  })
  const host = new Host({ client, projects, random: random.of('host'), waits })
  const storm = new Storm(world, phones, host, random.of('storm'))
  const stormBegan = performance.now()
  const drainMs = options.drainSeconds * 1000
  const isOver = await endsWithin(rage(world, phones, host, storm, options), leftMs() - drainMs)
  if (!isOver) {
    storm.abandon()
    await tellWhatIsMissing(world)
  }
  const stormEnded = performance.now()
  const open = await drain(world, phones, host, isOver ? drainMs : 0)
  if (isOver && open.size > 0) await tellWhatIsMissing(world)
  const drained = performance.now()
  await world.stopProcesses()

  const verdict = judge(phones.stories, host.reports, await gather(world))
  const violations = {
    ...verdict.violations,
    'out of time': isOver ? [] : [`after ${options.withinSeconds - options.drainSeconds} s, see above`],
    'still open': [...open].map(([state, count]) => `${count} × ${state}`),
    'wrong answer of the API': [...phones.heard.wrong, ...host.wrong],
    'too few faults': storm.faults.length < options.faults ? [String(storm.faults.length)] : [],
    'fault point never fired': storm.unfired(),
    'phones never told of a full disk': world.disk.canFill && phones.fullDisks === 0 ? ['507'] : [],
    'ended by itself': world.processes.flatMap(({ surprises }) =>
      surprises.map(({ name, how }) => `${name}: ${how}`),
    ),
    'secret in a log': await findSecrets(world, phones),
  }
  const now = performance.now()
  return {
    seed: options.seed,
    verdict,
    faults: countEach(
      FAULT_KINDS,
      storm.faults.map(({ kind }) => kind),
    ),
    firings: countEach(
      POINTS,
      world.processes.flatMap((process) => process.firings()),
    ),
    misbehaved: world.misbehaved,
    statuses: phones.heard.statuses,
    restarts: new Map(world.processes.map(({ name, starts }) => [name, starts - 1])),
    took: {
      setUp: (stormBegan - began) / 1000,
      storm: (stormEnded - stormBegan) / 1000,
      drain: (drained - stormEnded) / 1000,
      all: (now - began) / 1000,
    },
    diskCanFill: world.disk.canFill,
    violations: new Map(Object.entries(violations).filter(([, found]) => found.length > 0)),
  }
}

/** Everybody talks while everything is hurt; then all is calm, and everybody comes to an end. */
async function rage(
  world: World,
  phones: Phones,
  host: Host,
  storm: Storm,
  { conversations, faults, seconds }: FaultsOptions,
): Promise<void> {
  const reports = Math.ceil(conversations / CONVERSATIONS_PER_REPORT)
  await Promise.all([phones.run(), host.run(reports, seconds), storm.run(faults, seconds)])
  await world.calmDown()
  await Promise.all([phones.allOver(), host.allOver()])
}

/** At once, as nobody knows what else can still be told. */
async function tellWhatIsMissing(world: World): Promise<void> {
  const troubles = world.processes.flatMap((process) => process.trouble)
  const jobs = await readJobs(world).catch((error: unknown) => [`no jobs could be read: ${String(error)}`])
  console.log(['It goes on no more:', ...world.waits.list(), ...troubles, ...jobs].join('\n    '))
}

/** Until every conversation and report has come to its end, or the time is over; answers with what is open. */
async function drain(
  world: World,
  { stories }: Phones,
  { reports }: Host,
  limitMs: number,
): Promise<Map<string, number>> {
  const deadline = performance.now() + limitMs
  const ids = stories.flatMap(({ id }) => id ?? [])
  for (;;) {
    const open = await readOpen(world, ids, reports)
    if (open.size === 0 || performance.now() > deadline) return open
    await pause(250)
  }
}

const countEach = <T extends string>(names: readonly T[], all: readonly T[]): Map<string, number> =>
  new Map(names.map((name) => [name, all.filter((one) => one === name).length]))

/** Neither keys, nor what participants said or hold. */
async function findSecrets(world: World, { stories }: Phones): Promise<string[]> {
  const secrets = [...world.secrets, CANARY, ...stories.flatMap(({ token }) => token ?? [])]
  const found: string[] = []
  for (const process of world.processes) {
    const text = await world.logOf(process)
    for (const [index, secret] of secrets.entries())
      if (text.includes(secret)) found.push(`number ${index} in the log of ${process.name}`)
  }
  return found
}
