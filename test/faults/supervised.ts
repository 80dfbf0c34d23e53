import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { createWriteStream, readFileSync, type WriteStream } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { FAULT_POINTS, type FaultPoint } from '../../platform/fault-points.ts'

export interface Program {
  /** Also names its log and the notes of its fault points. */
  name: string
  script: string
  /** Read at each start. */
  environment(): Record<string, string>
  /** A line with this in it says that it works. */
  ready: string
  onLine?(line: string): void
}

/** One death that nobody had ordered. */
export interface Surprise {
  name: string
  how: string
}

/** Even on a machine that others keep busy. */
const UP_WITHIN_MS = 60_000
/** The service promises 10 s. */
const GONE_WITHIN_MS = 15_000

const alive = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

interface Incarnation {
  child: ChildProcess
  up: Promise<void>
  gone: Promise<void>
  isUp: boolean
  isDoomed: boolean
  /** When it was started. */
  since: number
}

/** A process that is brought back whenever it dies, and whose deaths are told apart: ordered, at a fault point, or neither. */
export class Supervised {
  readonly name: string
  readonly surprises: Surprise[] = []
  /** A fault holds it; others look for another victim. */
  isBusy = false
  /** Where it said that it listens, by the name that it gave. */
  readonly addresses = new Map<string, string>()
  private readonly program: Program
  private readonly notes: string
  private readonly log: WriteStream
  private isStopping = false
  private armament: string | undefined
  private current: Incarnation
  starts = 0

  constructor(folder: string, program: Program) {
    this.name = program.name
    this.program = program
    this.notes = join(folder, `${program.name}.points`)
    this.log = createWriteStream(join(folder, `${program.name}.log`), { flags: 'a' })
    this.current = this.start()
  }

  /** Resolves when the process of now works, or one of those that come after it: never, once it was stopped. */
  async up(): Promise<void> {
    while (!this.current.isUp) {
      await Promise.race([this.current.up, this.current.gone])
      if (this.isStopping) await new Promise(() => {})
    }
  }

  get isUp(): boolean {
    return this.current.isUp
  }

  /** In words, where it does not work at this moment. */
  get trouble(): string[] {
    const { isUp, since } = this.current
    const seconds = ((performance.now() - since) / 1000).toFixed(0)
    return isUp ? [] : [`${this.name} is down: its start number ${this.starts} began ${seconds} s ago`]
  }

  /** Resolves when the process of now has died and its successor been started. */
  gone(): Promise<void> {
    return this.current.gone
  }

  async kill(): Promise<void> {
    const { current } = this
    current.isDoomed = true
    current.child.kill('SIGKILL')
    await current.gone
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGUSR2'): void {
    this.current.child.kill(signal)
  }

  /** The next start, and only that one, may die at these points. */
  arm(armament: string): void {
    this.armament = armament
  }

  /** Every death at a fault point, in order. */
  firings(): FaultPoint[] {
    return this.readNotes().map(([point]) => point)
  }

  /** Ends for good, politely. */
  async stop(): Promise<void> {
    this.isStopping = true
    this.current.child.kill('SIGCONT')
    this.current.child.kill('SIGTERM')
    this.endIfLate(this.current, this.current.gone, GONE_WITHIN_MS, 'did not stop')
    await this.current.gone
    await new Promise((resolve) => this.log.end(resolve))
  }

  private start(): Incarnation {
    this.starts++
    const child = this.launch()
    const incarnation: Incarnation = {
      child,
      isUp: false,
      isDoomed: false,
      since: performance.now(),
      up: this.listen(child, () => {
        incarnation.isUp = true
      }),
      gone: new Promise((resolve) => {
        // Not at its exit: what it printed last may still be on the way.
        child.on('close', (code, signal) => {
          incarnation.isUp = false
          alive.delete(child)
          this.judge(incarnation, code, signal)
          if (!this.isStopping) this.current = this.start()
          resolve()
        })
      }),
    }
    this.endIfLate(incarnation, incarnation.up, UP_WITHIN_MS, 'did not come up')
    return incarnation
  }

  private launch(): ChildProcessByStdio<null, Readable, Readable> {
    const points = this.armament
    this.armament = undefined
    const child = spawn(process.execPath, [this.program.script], {
      cwd: tmpdir(),
      // A group of its own: Ctrl-C goes to the suite, which ends it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        HOME: tmpdir(),
        ...this.program.environment(),
        ...(points === undefined ? {} : { FAULT_POINTS: points, FAULT_LOG: this.notes }),
      },
    })
    alive.add(child)
    child.stderr.pipe(this.log, { end: false })
    return child
  }

  /** Resolves when it says that it works. */
  private listen({ stdout }: { stdout: Readable }, isReady: () => void): Promise<void> {
    const { ready, onLine } = this.program
    return new Promise((resolve) => {
      createInterface({ input: stdout }).on('line', (line) => {
        this.log.write(`${line}\n`)
        const [, name, address] = /^ {2}(\S[^/]*?) {2,}(http\S+)$/.exec(line) ?? []
        if (name !== undefined && address !== undefined) this.addresses.set(name, address)
        if (line.includes(ready)) {
          isReady()
          resolve()
        }
        onLine?.(line)
      })
    })
  }

  /** What hangs is as bad as what dies: it is ended, and told of. */
  private endIfLate(incarnation: Incarnation, event: Promise<void>, limitMs: number, how: string): void {
    const timer = setTimeout(() => {
      this.surprises.push({ name: this.name, how: `${how} within ${limitMs / 1000} s` })
      incarnation.isDoomed = true
      incarnation.child.kill('SIGKILL')
    }, limitMs)
    void Promise.race([event, incarnation.gone]).then(() => clearTimeout(timer))
  }

  private judge({ child, isDoomed }: Incarnation, code: number | null, signal: string | null): void {
    if (isDoomed && signal === 'SIGKILL') return
    if (signal === 'SIGKILL' && this.readNotes().some(([, pid]) => pid === child.pid)) return
    if (this.isStopping && code === 0) return
    this.surprises.push({ name: this.name, how: signal ?? `exit code ${code}` })
  }

  private readNotes(): [FaultPoint, pid: number][] {
    return readOrEmpty(this.notes)
      .split('\n')
      .flatMap((line) => {
        const [name, pid] = line.split(' ')
        const point = FAULT_POINTS.find((known) => known === name)
        return point ? [[point, Number(pid)] as [FaultPoint, number]] : []
      })
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
