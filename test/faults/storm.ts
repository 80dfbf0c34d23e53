import { EventEmitter, once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { DELIVERY_FAULTS, type FaultPoint } from '../../platform/fault-points.ts'
import { armament, type Chain, chainOf, nameOf, pointsOf } from './chain.ts'
import { flap, loseCommit, swallow } from './links.ts'
import type { Random } from './random.ts'
import type { TcpProxy } from './tcp-proxy.ts'
import type { Part, World } from './world.ts'

export const LEASE_SECONDS = 10

export const FAULT_KINDS = [
  'kill dispatcher',
  'kill API',
  'kill producer',
  'stop past the lease',
  'crash PostgreSQL',
  'cut connections',
  'lost commit',
  'black hole',
  'fault point',
  'slow connections',
  'flapping',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

export interface Fault {
  kind: FaultKind
  target: string
  point?: FaultPoint
  /** Milliseconds since 1970. */
  from: number
  until: number
}

/** Slowness loses nothing; the survivor's flapping goes on all the time and would be most of the number. */
const isKill = ({ kind }: Fault): boolean => kind !== 'slow connections' && kind !== 'flapping'

type Role = 'dispatcher' | 'api' | 'producer'
type Card = Exclude<FaultKind, 'fault point' | 'flapping'> | Chain<Role>

/** Together they have every point; those of the kernel in each process that has transactions of that kind. */
const CHAINS: Chain<Role>[] = [
  {
    role: 'dispatcher',
    points: [
      ['after_lease', 1],
      ['after_post', 0.3],
    ],
  },
  {
    role: 'dispatcher',
    points: [
      ['after_claim', 0.3],
      ['after_record', 0.3],
    ],
  },
  { role: 'dispatcher', points: [['in_replay', 1]] },
  {
    role: 'producer',
    points: [
      ['before_commit', 0.05],
      ['after_commit', 0.05],
    ],
  },
  {
    role: 'api',
    points: [
      ['after_commit', 0.3],
      ['before_commit', 0.3],
    ],
  },
]

/** What comes first, in this order: what takes longest. Afterwards the seed decides. */
const OPENING: Card[] = ['stop past the lease', ...CHAINS, 'black hole']
const EACH_ONCE: Card[] = [
  'kill dispatcher',
  'kill API',
  'kill API',
  'kill producer',
  'crash PostgreSQL',
  'crash PostgreSQL',
  'cut connections',
  'cut connections',
  'lost commit',
  'lost commit',
  'slow connections',
]
/** How often each comes up in the long run. */
const WEIGHTS: [Card, number][] = [
  ['kill dispatcher', 24],
  ['kill API', 10],
  ['kill producer', 8],
  ['stop past the lease', 8],
  ['crash PostgreSQL', 10],
  ['cut connections', 10],
  ['lost commit', 6],
  ['black hole', 8],
  ['slow connections', 3],
  ...CHAINS.map((chain): [Card, number] => [chain, 3]),
]

const AT_ONCE = 6
/** Processes that die by themselves this often tell nothing more: the run has failed. */
const MOST_SURPRISES = 20
/** An armed process that works for so long had no occasion to die there; the point comes up again. */
const FIRE_WITHIN_MS = 30_000
const PROD_EVERY_MS = 500
const LOSE_WITHIN_MS = 3_000
/** The engine's statements, by their names; the empty one is any. */
const ANSWERS_TO_LOSE = ['renew_lease', 'lease_', 'claim_deliveries', 'record_attempts', 'release_queues', '']

export interface StormOptions {
  seconds: number
  kills: number
  /** The storm goes on until this is true, too. */
  isEnough(): boolean
  /** Called when the API is about to die, so that somebody is asking it something. */
  beforeApiDies(): void
  askForReplay(): void
}

/** Hurts one part of the world after the other, several at a time, and keeps a list. */
export class Storm {
  readonly faults: Fault[] = []
  private readonly world: World
  private readonly producer: Part
  private readonly random: Random
  private readonly options: StormOptions
  private readonly freed = new EventEmitter()
  private readonly underWay = new Map<Promise<void>, Card>()
  private isRaging = true

  constructor(world: World, producer: Part, random: Random, options: StormOptions) {
    this.world = world
    this.producer = producer
    this.random = random
    this.options = options
    this.freed.setMaxListeners(0)
  }

  get kills(): number {
    return this.faults.filter(isKill).length
  }

  unfired(): FaultPoint[] {
    const fired = new Set(this.world.parts.flatMap(({ process }) => process.firings()))
    return DELIVERY_FAULTS.filter((point) => !fired.has(point))
  }

  async run(): Promise<void> {
    const { seconds, kills, isEnough } = this.options
    const deck = [...OPENING, ...this.random.shuffled(EACH_ONCE)]
    const paceMs = (seconds * 1000) / kills
    const began = performance.now()
    const isOver = () => deck.length === 0 && this.kills >= kills && isEnough() && this.unfired().length === 0
    const flapping = this.flapSurvivor()
    while (this.isRaging && this.surprises() < MOST_SURPRISES && !isOver()) {
      const due = began + this.kills * paceMs
      await pause(Math.max(0, due - performance.now()))
      while (this.underWay.size >= AT_ONCE) await Promise.race(this.underWay.keys())
      const card = deck.shift() ?? this.draw()
      if (card) this.begin(card)
      // What was just begun may wait for its victim: let it count before the next is due.
      await Promise.race([...this.underWay.keys(), pause(paceMs)])
    }
    await Promise.all(this.underWay.keys())
    this.isRaging = false
    await flapping
  }

  /** Hurts nobody any more. */
  abandon(): void {
    this.isRaging = false
  }

  private begin(card: Card): void {
    const task = this.world.waits.for(nameOf(card), this.play(card))
    this.underWay.set(task, card)
    void task.finally(() => this.underWay.delete(task))
  }

  /**
   * One dispatcher is never killed: it only loses its connections all the time, and the answers to what it has done. A death heals what a process believes
   * wrongly (that it holds a lane, or that it does not), so that somebody has to live on with it.
   */
  private async flapSurvivor(): Promise<void> {
    const { survivor } = this.world
    while (this.isRaging) {
      const lost = survivor.link.loseAnswerTo(this.random.pick(ANSWERS_TO_LOSE))
      await Promise.race([lost, pause(this.random.between(300, 1500))])
      await this.during('flapping', survivor.process.name, () => void survivor.link.cut())
      await pause(this.random.between(20, 400))
    }
  }

  private surprises(): number {
    return this.world.parts.reduce((sum, { process }) => sum + process.surprises.length, 0)
  }

  /** Points that never fired come alone once the rest is done. Null: each of them is being tried, or none is missing. */
  private draw(): Card | null {
    if (this.kills >= this.options.kills) {
      const tried = new Set([...this.underWay.values()].flatMap(pointsOf))
      const missing = this.unfired().find((point) => !tried.has(point))
      return missing ? chainOf(CHAINS, missing) : null
    }
    const total = WEIGHTS.reduce((sum, [, weight]) => sum + weight, 0)
    let left = this.random.between(0, total)
    for (const [card, weight] of WEIGHTS) {
      left -= weight
      if (left < 0) return card
    }
    return 'kill dispatcher'
  }

  private play(card: Card): Promise<void> {
    const { dispatchers, api } = this.world
    if (typeof card === 'object') return this.fire(card)
    switch (card) {
      case 'kill dispatcher':
        return this.hold(dispatchers, (part) => this.kill(card, part))
      case 'kill API':
        return this.hold([api], async (part) => {
          this.options.beforeApiDies()
          await pause(this.random.between(0, 40))
          await this.kill(card, part)
        })
      case 'kill producer':
        return this.hold([this.producer], (part) => this.kill(card, part))
      case 'stop past the lease':
        return this.hold(dispatchers, (part) => this.freeze(part))
      case 'crash PostgreSQL':
        return this.during(card, 'postgres', () => this.world.cluster.crash())
      case 'cut connections':
        return this.during(card, ...this.someLinks((links) => flap(links, this.random)))
      case 'lost commit':
        return this.hold([api, this.producer], (part) => this.loseCommit(part))
      case 'black hole':
        return this.during(card, ...this.someLinks((links) => swallow(links, this.random)))
      case 'slow connections':
        return this.during(card, ...this.someLinks((links) => this.slowDown(links)))
      default:
        return card satisfies never
    }
  }

  /** Waits for one of them to be up and left alone by others, and keeps it for as long as the work takes. */
  private async hold(parts: readonly Part[], work: (part: Part) => Promise<void>): Promise<void> {
    let free = parts.filter(({ process }) => !process.isBusy && process.isUp)
    const names = parts.map(({ process }) => process.name).join(' or ')
    while (free.length === 0) {
      const idle = parts.filter(({ process }) => !process.isBusy)
      const change = Promise.race([once(this.freed, 'freed'), ...idle.map(({ process }) => process.up())])
      await this.world.waits.for(`${names} to be up and left alone`, change)
      free = parts.filter(({ process }) => !process.isBusy && process.isUp)
    }
    const part = this.random.pick(free)
    part.process.isBusy = true
    try {
      await work(part)
    } finally {
      part.process.isBusy = false
      this.freed.emit('freed')
    }
  }

  private async during(kind: FaultKind, target: string, work: () => Promise<void> | void): Promise<void> {
    const fault: Fault = { kind, target, from: Date.now(), until: Number.POSITIVE_INFINITY }
    this.faults.push(fault)
    await work()
    fault.until = Date.now()
  }

  private kill(kind: FaultKind, { process }: Part): Promise<void> {
    return this.during(kind, process.name, () => process.kill())
  }

  /** Longer than its lease: when it wakes up, others own its queues, and it does not know. */
  private freeze({ process }: Part): Promise<void> {
    return this.during('stop past the lease', process.name, async () => {
      process.signal('SIGSTOP')
      await pause(LEASE_SECONDS * 1000 + this.random.between(500, 3000))
      process.signal('SIGCONT')
    })
  }

  /** One part's connections, or everybody's. */
  private someLinks(
    work: (links: TcpProxy[]) => Promise<void> | void,
  ): [target: string, work: () => Promise<void> | void] {
    const all = this.world.parts
    const parts = this.random.happens(0.25) ? all : [this.random.pick(all)]
    return [parts.map(({ process }) => process.name).join(', '), () => work(parts.map(({ link }) => link))]
  }

  private async loseCommit({ process, link }: Part): Promise<void> {
    if (process.name === 'api') this.options.beforeApiDies()
    const fault: Fault = { kind: 'lost commit', target: process.name, from: Date.now(), until: Date.now() }
    if (await loseCommit(link, LOSE_WITHIN_MS)) this.faults.push({ ...fault, until: Date.now() })
  }

  private async slowDown(links: readonly TcpProxy[]): Promise<void> {
    for (const link of links) link.delay(this.random.whole(20, 200))
    await pause(this.random.between(1000, 4000))
    for (const link of links) link.delay(0)
  }

  private fire({ role, points }: Chain<Role>): Promise<void> {
    const { dispatchers, api } = this.world
    const parts = { dispatcher: dispatchers, api: [api], producer: [this.producer] }[role]
    const kind = ({ dispatcher: 'kill dispatcher', api: 'kill API', producer: 'kill producer' } as const)[
      role
    ]
    return this.hold(parts, async (part) => {
      const [first] = points
      if (first) part.process.arm(armament(first))
      await this.kill(kind, part)
      for (const [index, [point]] of points.entries()) {
        const following = points[index + 1]
        if (following) part.process.arm(armament(following))
        if (!(await this.diesBy(point, part))) await this.kill(kind, part)
      }
    })
  }

  private async diesBy(point: FaultPoint, { process }: Part): Promise<boolean> {
    const from = Date.now()
    const before = process.firings().length
    const gone = process.gone()
    const prod = setInterval(() => {
      if (point === 'in_replay') this.options.askForReplay()
      if (process.name === 'api') this.options.beforeApiDies()
    }, PROD_EVERY_MS)
    await this.world.waits.for(`${process.name} to come up`, Promise.race([gone, process.up()]))
    await Promise.race([gone, pause(FIRE_WITHIN_MS, undefined, { ref: false })])
    clearInterval(prod)
    if (process.firings().length === before) return false
    this.faults.push({ kind: 'fault point', target: process.name, point, from, until: Date.now() })
    return true
  }
}
