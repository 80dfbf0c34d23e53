import { setTimeout as pause } from 'node:timers/promises'
import { seeded } from '../faults/random.ts'
import { createProjects } from '../faults/subscriptions.ts'
import { judge, type Verdict } from './checker.ts'
import { gather, readOpen } from './evidence.ts'
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

export async function runFaults(options: FaultsOptions): Promise<Outcome> {
  const began = performance.now()
  const { conversations, chunks } = options
  const megabytes = 48 + Math.ceil((2.2 * conversations * chunks * CHUNK_BYTES) / MEGABYTE)
  const world = await World.start(options.seed, megabytes)
  let passed = false
  try {
    const outcome = await inWorld(world, options, began)
    passed = outcome.violations.size === 0
    return outcome
  } finally {
    await world.stop()
    // What a failed run wrote is the evidence.
    if (passed) await world.remove()
    else process.stdout.write(`The logs are in ${world.folder}\n`)
  }
}

async function inWorld(world: World, options: FaultsOptions, began: number): Promise<Outcome> {
  const random = seeded(options.seed)
  const projects = await createProjects(world.clientOf(random.of('user').uuid()))
  const phones = new Phones({
    url: () => world.url,
    projects,
    conversations: options.conversations,
    chunks: options.chunks,
    atOnce: options.phones,
    seconds: options.seconds,
    random: random.of('phones'),
  })
  const storm = new Storm(world, phones, random.of('storm'))
  const stormBegan = performance.now()
  await Promise.all([phones.run(), storm.run(options.faults, options.seconds)])
  await world.calmDown()
  await phones.allOver()
  const stormEnded = performance.now()
  const open = await drain(world, phones, options.drainSeconds)
  const drained = performance.now()
  await world.stopProcesses()

  const verdict = judge(phones.stories, await gather(world))
  const violations = {
    ...verdict.violations,
    'still open': [...open].map(([state, count]) => `${count} × ${state}`),
    'wrong answer of the API': phones.heard.wrong,
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

/** Until every conversation has come to its end, or the time is over; answers with what is open. */
async function drain(world: World, { stories }: Phones, seconds: number): Promise<Map<string, number>> {
  const deadline = performance.now() + seconds * 1000
  const ids = stories.flatMap(({ id }) => id ?? [])
  for (;;) {
    const open = await readOpen(world, ids)
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
