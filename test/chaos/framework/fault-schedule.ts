import { EventEmitter, once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { FaultPoint } from '../../../server/fault-points.ts'
import type { Fixtures } from './fixtures.ts'
import type { Random } from './random.ts'
import type { SupervisedProcess } from './supervised-process.ts'
import type { TcpProxy } from './tcp-proxy.ts'

export interface Fault {
  kind: string
  target: string
  /** Milliseconds since 1970. */
  from: number
  until: number
}

/** A process of this role is restarted until it has crashed at each of these points. */
export interface CrashPoints {
  role: string
  /** With the probability of a crash each time that the process reaches the point. */
  points: Partial<Record<FaultPoint, number>>
}

/**
 * `kill <role>`, `crash PostgreSQL`, `cut connections`, `slow connections`, `black hole`, `lost commit`, a kind of the scenario's
 * own, or crashes at fault points.
 */
export type Action = string | CrashPoints

export interface FaultPlan {
  faults: number
  seconds: number
  concurrency: number
  /** Started first, in this order: the actions that take longest. */
  first: Action[]
  /** Each action runs at least once; afterwards they are drawn with these weights. */
  weights: [Action, weight: number][]
  points: readonly FaultPoint[]
  /** The kinds that only this scenario has. */
  custom: Record<string, () => Promise<void>>
  /** The kinds that do not count towards `faults`, because they lose nothing or happen all the time. */
  uncounted?: string[]
  /** The roles whose commits can be lost. */
  committers: string[]
  /** Called repeatedly: makes a process of the role commit, or reach the point. */
  provoke(role: string, point?: FaultPoint): void
  /** The schedule also continues until this is true. */
  isEnough?(): boolean
  more?: MoreFaults | undefined
}

/** Faults that a variant of a scenario adds, by kind. */
export type MoreFaults = (
  schedule: FaultSchedule,
  fixtures: Fixtures,
  random: Random,
) => Record<string, { weight: number; run(): Promise<void> }>

/** More unexpected exits than this add no information. */
const MAX_UNEXPECTED_EXITS = 20
/**
 * A process that reaches none of its armed points for this long had no occasion; the missing points come up again. Long enough for
 * the jobs of a killed worker to be retried: another kill would only delay them.
 */
const FIRE_TIMEOUT_MS = 30_000
const PROVOKE_EVERY_MS = 500
const COMMIT_TIMEOUT_MS = 10_000

/** Runs faults one after the other, several at a time, and records them. */
export class FaultSchedule {
  readonly faults: Fault[] = []
  private readonly fixtures: Fixtures
  private readonly random: Random
  private readonly plan: FaultPlan
  private readonly running = new Map<Promise<void>, Action>()
  private readonly released = new EventEmitter().setMaxListeners(0)
  /** The number of faults that the started actions cause when nothing delays them. */
  private planned = 0
  private isAbandoned = false

  constructor(fixtures: Fixtures, random: Random, plan: FaultPlan) {
    this.fixtures = fixtures
    this.random = random
    const more = Object.entries(plan.more?.(this, fixtures, random.fork('more')) ?? {})
    this.plan = {
      ...plan,
      weights: [...plan.weights, ...more.map(([kind, { weight }]): [Action, number] => [kind, weight])],
      custom: { ...plan.custom, ...Object.fromEntries(more.map(([kind, { run }]) => [kind, run])) },
    }
  }

  async run(): Promise<void> {
    const { seconds, faults, concurrency } = this.plan
    const queue = [...this.plan.first, ...this.random.shuffle(this.remaining())]
    const paceMs = (seconds * 1000) / faults
    const began = performance.now()
    while (!this.isAbandoned && (queue.length > 0 || !this.isComplete())) {
      await pause(Math.max(0, began + this.count() * paceMs - performance.now()))
      while (this.running.size >= concurrency) await Promise.race(this.running.keys())
      const action = queue.shift() ?? this.draw()
      if (action) this.start(action)
      // An action can wait for its process: it counts towards the pace only once it has begun.
      await Promise.race([...this.running.keys(), pause(paceMs)])
      if (this.fixtures.processes.flatMap((one) => one.unexpectedExits).length > MAX_UNEXPECTED_EXITS) break
    }
    await Promise.all(this.running.keys())
  }

  /** Starts no more faults. */
  abandon(): void {
    this.isAbandoned = true
  }

  count(): number {
    return this.faults.filter(({ kind }) => !this.plan.uncounted?.includes(kind)).length
  }

  countByKind(): Map<string, number> {
    const kinds = [...this.kinds(), 'fault point', ...this.faults.map(({ kind }) => kind)]
    return new Map(kinds.map((kind) => [kind, this.faults.filter((fault) => fault.kind === kind).length]))
  }

  countByPoint(): Map<FaultPoint, number> {
    const fired = this.fixtures.processes.flatMap(({ firedPoints }) => firedPoints)
    return new Map(this.plan.points.map((point) => [point, fired.filter((other) => other === point).length]))
  }

  findViolations(): Record<string, string[]> {
    const count = this.count()
    return {
      'too few faults': count < this.plan.faults ? [String(count)] : [],
      'fault point never fired': this.unfiredPoints(),
      'kind of fault never tried': this.untriedKinds(),
    }
  }

  /** Waits for a process of one of the roles that is up and not used by another fault, and reserves it for the work. */
  async reserve(roles: string[], work: (process: SupervisedProcess) => Promise<void>): Promise<void> {
    const all = roles.flatMap((role) => this.fixtures.withRole(role))
    const isFree = ({ isBusy, isUp }: SupervisedProcess) => !isBusy && isUp
    while (!all.some(isFree)) {
      const idle = all.filter(({ isBusy }) => !isBusy)
      const change = Promise.race([once(this.released, 'released'), ...idle.map((process) => process.up())])
      await this.fixtures.waits.for(`a free process of ${roles.join(' or ')}`, change)
    }
    const process = this.random.pick(all.filter(isFree))
    process.isBusy = true
    try {
      await work(process)
    } finally {
      process.isBusy = false
      this.released.emit('released')
    }
  }

  /** Records a fault that lasts as long as the work. */
  async record(kind: string, target: string, work: () => Promise<void> | void): Promise<void> {
    const fault: Fault = { kind, target, from: Date.now(), until: Number.POSITIVE_INFINITY }
    this.faults.push(fault)
    await work()
    fault.until = Date.now()
  }

  private kinds(): string[] {
    return this.plan.weights.flatMap(([action]) => (typeof action === 'string' ? [action] : []))
  }

  /** Without the plain kills of roles that crash points kill anyway. */
  private remaining(): Action[] {
    const { first } = this.plan
    const killed = first.flatMap((action) => (typeof action === 'object' ? [`kill ${action.role}`] : []))
    return this.kinds().filter((kind) => !first.includes(kind) && !killed.includes(kind))
  }

  private unfiredPoints(): FaultPoint[] {
    return [...this.countByPoint()].flatMap(([point, count]) => (count === 0 ? [point] : []))
  }

  private untriedKinds(): string[] {
    return this.kinds().filter((kind) => !this.faults.some((fault) => fault.kind === kind))
  }

  private isComplete(): boolean {
    return (
      this.count() >= this.plan.faults &&
      this.unfiredPoints().length + this.untriedKinds().length === 0 &&
      (this.plan.isEnough?.() ?? true)
    )
  }

  private start(action: Action): void {
    const task = this.fixtures.waits.for(namesIn(action).join(', '), this.perform(action))
    this.running.set(task, action)
    this.planned += namesIn(action).filter((name) => !this.plan.uncounted?.includes(name)).length
    void task.finally(() => this.running.delete(task))
  }

  /** Prefers what never happened. Null: enough faults have happened, or will when the running actions are over. */
  private draw(): Action | null {
    const started = new Set([...this.running.values()].flatMap(namesIn))
    const [missing] = [
      ...this.unfiredPoints().map((point) => this.crashAt(point)),
      ...this.untriedKinds(),
    ].filter((action) => !namesIn(action).some((name) => started.has(name)))
    const { faults } = this.plan
    const isEnough = this.count() >= faults || (this.planned >= faults && this.running.size > 0)
    if (missing && (isEnough || this.random.chance(0.5))) return missing
    if (isEnough) return null
    return this.random.pick(
      this.plan.weights.flatMap(([action, weight]) => Array<Action>(weight).fill(action)),
    )
  }

  private crashAt(point: FaultPoint): CrashPoints {
    const all = this.plan.weights.flatMap(([action]) => (typeof action === 'object' ? [action] : []))
    const { role, points } = all.find((action) => point in action.points) as CrashPoints
    return { role, points: { [point]: points[point] } }
  }

  private perform(action: Action): Promise<void> {
    if (typeof action === 'object') return this.crash(action)
    const custom = this.plan.custom[action]
    if (custom) return custom()
    if (action === 'crash PostgreSQL')
      return this.record(action, 'postgres', () => this.fixtures.cluster.crash())
    if (action === 'lost commit') return this.reserve(this.plan.committers, (one) => this.loseCommit(one))
    const connectionFault = CONNECTION_FAULTS[action]
    if (connectionFault) return this.breakConnections(action, connectionFault)
    return this.reserve([action.replace('kill ', '')], async (process) => {
      this.plan.provoke(roleOf(process))
      // Into the work that was just provoked.
      await pause(this.random.between(0, 40))
      await this.kill(process)
    })
  }

  private kill(process: SupervisedProcess): Promise<void> {
    return this.record(`kill ${roleOf(process)}`, process.name, () => process.kill())
  }

  /** Those of one process, or of all. */
  private breakConnections(kind: string, work: ConnectionFault): Promise<void> {
    const all = this.fixtures.connections
    const some = this.random.chance(0.25) ? all : [this.random.pick(all)]
    const proxies = some.map(({ proxy }) => proxy)
    return this.record(kind, some.map(({ name }) => name).join(', '), () => work(proxies, this.random))
  }

  /** PostgreSQL commits, but the process gets no response. Counts only when the process did commit. */
  private async loseCommit(process: SupervisedProcess): Promise<void> {
    const from = Date.now()
    this.plan.provoke(roleOf(process))
    const lost = process.proxy?.dropResponseTo('commit').then(() => true)
    if (await Promise.race([lost, pause(COMMIT_TIMEOUT_MS, false, { ref: false })]))
      this.faults.push({ kind: 'lost commit', target: process.name, from, until: Date.now() })
  }

  private crash({ role, points }: CrashPoints): Promise<void> {
    return this.reserve([role], async (process) => {
      process.arm(points)
      await this.kill(process)
      while (process.armedPoints.length > 0 && (await this.crashesAtPoint(process)));
      if (process.armedPoints.length === 0) return
      process.arm({})
      await this.kill(process)
    })
  }

  private async crashesAtPoint(process: SupervisedProcess): Promise<boolean> {
    const from = Date.now()
    const before = process.firedPoints.length
    const exited = process.exited()
    await this.fixtures.waits.for(`${process.name} to come up`, Promise.race([exited, process.up()]))
    const provoking = setInterval(() => {
      for (const point of process.armedPoints) this.plan.provoke(roleOf(process), point)
    }, PROVOKE_EVERY_MS)
    await Promise.race([exited, pause(FIRE_TIMEOUT_MS, undefined, { ref: false })])
    clearInterval(provoking)
    if (process.firedPoints.length === before) return false
    this.faults.push({ kind: 'fault point', target: process.name, from, until: Date.now() })
    return true
  }
}

const roleOf = ({ name }: SupervisedProcess): string => name.split('-')[0] as string

/** The kinds of faults and the fault points, one for each fault of the action. */
const namesIn = (action: Action): string[] =>
  typeof action === 'object' ? [`kill ${action.role}`, ...Object.keys(action.points)] : [action]

type ConnectionFault = (proxies: readonly TcpProxy[], random: Random) => Promise<void>

const CONNECTION_FAULTS: Record<string, ConnectionFault> = {
  'cut connections': async (proxies, random) => {
    for (let cuts = random.integer(1, 12); cuts > 0; cuts--) {
      for (const proxy of proxies) proxy.cut()
      await pause(random.between(5, 150))
    }
  },
  'black hole': async (proxies, random) => {
    for (const proxy of proxies) proxy.set('black hole')
    await pause(random.between(1000, 6000))
    for (const proxy of proxies) proxy.set('pass')
  },
  'slow connections': async (proxies, random) => {
    for (const proxy of proxies) proxy.delay(random.integer(20, 200))
    await pause(random.between(1000, 4000))
    for (const proxy of proxies) proxy.delay(0)
  },
}
