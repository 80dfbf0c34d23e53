import { EventEmitter, once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { FaultPoint } from '../../platform/fault-points.ts'
import { armament, type Chain, chainOf, nameOf, pointsOf } from '../faults/chain.ts'
import { flap, loseCommit, swallow } from '../faults/links.ts'
import type { Random } from '../faults/random.ts'
import type { Supervised } from '../faults/supervised.ts'
import type { TcpProxy } from '../faults/tcp-proxy.ts'
import type { Host } from './host.ts'
import type { Phones } from './phones.ts'
import { POINTS } from './points.ts'
import type { World } from './world.ts'

export const FAULT_KINDS = [
  'kill API',
  'kill worker',
  'kill model',
  'crash PostgreSQL',
  'cut connections',
  'lost commit',
  'black hole',
  'disk full',
  'fault point',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

type Role = 'api' | 'worker'
type Card = Exclude<FaultKind, 'fault point'> | Chain<Role>

/** Commits and chunks come many times a second: dying at the first would leave no time for anything else. */
const CHAINS: Chain<Role>[] = [
  {
    role: 'api',
    points: [
      ['after_store', 0.3],
      ['before_commit', 0.2],
      ['after_commit', 0.2],
    ],
  },
  {
    role: 'worker',
    points: [
      ['after_transcription', 0.3],
      ['before_commit', 0.1],
      ['after_join', 1],
    ],
  },
  {
    role: 'worker',
    points: [
      ['after_summary', 1],
      ['after_commit', 0.1],
      ['after_report', 1],
    ],
  },
  { role: 'worker', points: [['in_erasure', 1]] },
]
/** Without API and workers: they die often enough in the chains. */
const EACH_ONCE: Card[] = [
  'kill model',
  'crash PostgreSQL',
  'cut connections',
  'lost commit',
  'black hole',
  'disk full',
]
/** How often each comes up in the long run. */
const WEIGHTS: [Card, number][] = [
  ['kill API', 5],
  ['kill worker', 8],
  ['kill model', 4],
  ['crash PostgreSQL', 3],
  ['cut connections', 3],
  ['lost commit', 3],
  ['black hole', 3],
  ['disk full', 3],
  ...CHAINS.map((chain): [Card, number] => [chain, 2]),
]

const AT_ONCE = 3
/**
 * An armed process that lives on for so long had no occasion to die there; the point comes up again. Long enough for the jobs
 * of a killed worker to be retaken, and for a model that was left alone to be asked again: another kill only delays both.
 */
const FIRE_WITHIN_MS = 30_000
const PROD_EVERY_MS = 500
/** On a busy machine an API that is killed three times in a row is away for 25 s, and nobody is told anything. */
const FULL_WITHIN_MS = 40_000
const LOSE_WITHIN_MS = 10_000

/** Hurts one part of the world after the other, and keeps a list. */
export class Storm {
  readonly faults: { kind: FaultKind; target: string }[] = []
  private readonly world: World
  private readonly phones: Phones
  private readonly host: Host
  private readonly random: Random
  private readonly underWay = new Map<Promise<void>, Card>()
  private readonly freed = new EventEmitter()
  private isFull = false
  private isAbandoned = false

  constructor(world: World, phones: Phones, host: Host, random: Random) {
    this.world = world
    this.phones = phones
    this.host = host
    this.random = random
    this.freed.setMaxListeners(0)
  }

  /** Goes on until there were so many, every point among them; whoever waits for it sets an end. */
  async run(count: number, seconds: number): Promise<void> {
    const deck: Card[] = [...CHAINS, ...this.random.shuffled(EACH_ONCE)]
    const paceMs = (seconds * 1000) / count
    const began = performance.now()
    while (
      !this.isAbandoned &&
      (deck.length > 0 || this.faults.length < count || this.unfired().length > 0)
    ) {
      await pause(Math.max(0, began + this.faults.length * paceMs - performance.now()))
      while (this.underWay.size >= AT_ONCE) await Promise.race(this.underWay.keys())
      const card = deck.shift() ?? this.draw(count)
      if (card) this.begin(card)
      await Promise.race([...this.underWay.keys(), pause(paceMs)])
    }
    await Promise.all(this.underWay.keys())
  }

  /** Hurts nobody any more. */
  abandon(): void {
    this.isAbandoned = true
  }

  unfired(): FaultPoint[] {
    const { processes } = this.world
    const fired = new Set(processes.flatMap((process) => process.firings()))
    return POINTS.filter((point) => !fired.has(point))
  }

  private begin(card: Card): void {
    const task = this.world.waits.for(nameOf(card), this.play(card))
    this.underWay.set(task, card)
    void task.finally(() => this.underWay.delete(task))
  }

  /** Points that never fired come now and then, and alone once the rest is done. Null: each of them is being tried. */
  private draw(count: number): Card | null {
    const tried = new Set([...this.underWay.values()].flatMap(pointsOf))
    const missing = this.unfired().find((point) => !tried.has(point))
    const isDone = this.faults.length >= count
    if (missing && (isDone || this.random.happens(0.5))) return chainOf(CHAINS, missing)
    if (isDone) return null
    return this.random.pick(WEIGHTS.flatMap(([card, weight]) => Array<Card>(weight).fill(card)))
  }

  private play(card: Card): Promise<void> {
    const { api, workers, model } = this.world
    if (typeof card === 'object') return this.fire(card)
    switch (card) {
      case 'kill API':
        return this.hold([api], (process) => this.kill(card, process))
      case 'kill worker':
        return this.hold(workers, (process) => this.kill(card, process))
      case 'kill model':
        return this.hold([model], (process) => this.kill(card, process))
      case 'crash PostgreSQL':
        return this.crash()
      case 'cut connections':
        return this.hurtLinks(card, flap)
      case 'lost commit':
        return this.loseCommit()
      case 'black hole':
        return this.hurtLinks(card, swallow)
      case 'disk full':
        return this.fillDisk()
      default:
        return card satisfies never
    }
  }

  /** Also in the middle of a start, which then waits for it. */
  private async crash(): Promise<void> {
    this.note('crash PostgreSQL', 'postgres')
    await this.world.cluster.crash()
  }

  /** One process's connections, or everybody's. */
  private async hurtLinks(
    kind: FaultKind,
    hurt: (links: TcpProxy[], random: Random) => Promise<void>,
  ): Promise<void> {
    const all = [...this.world.links]
    const some = this.random.happens(0.25) ? all : [this.random.pick(all)]
    this.note(kind, some.map(([name]) => name).join(', '))
    await hurt(
      some.map(([, link]) => link),
      this.random,
    )
  }

  private async loseCommit(): Promise<void> {
    const [name, link] = this.random.pick([...this.world.links])
    this.phones.oneMore('finish')
    if (await loseCommit(link, LOSE_WITHIN_MS)) this.note('lost commit', name)
  }

  private note(kind: FaultKind, target: string): void {
    this.faults.push({ kind, target })
  }

  private kill(kind: FaultKind, process: Supervised): Promise<void> {
    this.note(kind, process.name)
    return process.kill()
  }

  /** Waits for one of them to be up and left alone by others, and keeps it for as long as the work takes. */
  private async hold(
    processes: readonly Supervised[],
    work: (process: Supervised) => Promise<void>,
  ): Promise<void> {
    const isFree = (process: Supervised) => !process.isBusy && process.isUp
    const names = processes.map(({ name }) => name).join(' or ')
    while (!processes.some(isFree)) {
      const idle = processes.filter(({ isBusy }) => !isBusy)
      const change = Promise.race([once(this.freed, 'freed'), ...idle.map((process) => process.up())])
      await this.world.waits.for(`${names} to be up and left alone`, change)
    }
    const process = this.random.pick(processes.filter(isFree))
    process.isBusy = true
    try {
      await work(process)
    } finally {
      process.isBusy = false
      this.freed.emit('freed')
    }
  }

  /** Until a phone was told so, and a little longer. */
  private async fillDisk(): Promise<void> {
    const { disk } = this.world
    if (this.isFull || !disk.canFill) return
    this.isFull = true
    this.note('disk full', 'disk')
    const before = this.phones.fullDisks
    await disk.fill()
    const deadline = performance.now() + FULL_WITHIN_MS
    while (this.phones.fullDisks === before && performance.now() < deadline) {
      this.phones.oneMore('finish')
      await pause(PROD_EVERY_MS)
    }
    await disk.free()
    this.isFull = false
  }

  private fire({ role, points }: Chain<Role>): Promise<void> {
    const { api, workers } = this.world
    const kind = role === 'api' ? 'kill API' : 'kill worker'
    return this.hold(role === 'api' ? [api] : workers, async (process) => {
      if (points[0]) process.arm(armament(points[0]))
      await this.kill(kind, process)
      for (const [index, [point]] of points.entries()) {
        const following = points[index + 1]
        if (following) process.arm(armament(following))
        if (!(await this.diesAt(point, process))) await this.kill(kind, process)
      }
    })
  }

  private async diesAt(point: FaultPoint, process: Supervised): Promise<boolean> {
    const before = process.firings().length
    const prod = setInterval(() => this.giveOccasion(point), PROD_EVERY_MS)
    const gone = process.gone()
    await this.world.waits.for(`${process.name} to come up`, Promise.race([gone, process.up()]))
    await Promise.race([gone, pause(FIRE_WITHIN_MS, undefined, { ref: false })])
    clearInterval(prod)
    if (process.firings().length === before) return false
    this.note('fault point', process.name)
    return true
  }

  private giveOccasion(point: FaultPoint): void {
    if (point === 'after_report') this.host.askForReport()
    else this.phones.oneMore(point === 'in_erasure' ? 'withdraw' : 'finish')
  }
}
