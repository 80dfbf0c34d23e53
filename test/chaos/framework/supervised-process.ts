import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, readFileSync, type WriteStream } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { FAULT_POINTS, type FaultPoint } from '../../../server/fault-points.ts'
import type { TcpProxy } from './tcp-proxy.ts'

export interface Program {
  /** Also the name of its log file. */
  name: string
  /** Evaluated at each start, as is the environment. */
  script(): string
  environment(): Record<string, string>
  /** The process is up once it prints a line that contains this text. */
  readyText: string
  onLine?(line: string): void
}

const COMPILE_CACHE = join(import.meta.dirname, '../../../node_modules/.cache/node-compile')
/** A start with a small young generation spends a tenth of its CPU time on collecting it. */
const LARGE_YOUNG_GENERATION = '--min-semi-space-size=16'
/** Generous, because other work can slow the machine down. */
const START_TIMEOUT_MS = 60_000
/** The service promises to stop within 10 s. */
const STOP_TIMEOUT_MS = 15_000

const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** One start of the program. */
interface Incarnation {
  child: ChildProcess
  up: Promise<void>
  exited: Promise<void>
  isUp: boolean
  isKilled: boolean
  isReplaced: boolean
  startedAt: number
}

/** Restarts a program whenever it exits, and separates exits that were requested or happened at a fault point from others. */
export class SupervisedProcess {
  readonly name: string
  /** Between this process and PostgreSQL; null for a program that does not use the database. */
  readonly proxy: TcpProxy | null
  readonly unexpectedExits: string[] = []
  /** The fault points at which it exited, in order. */
  readonly firedPoints: FaultPoint[] = []
  /** True while a fault uses this process; other faults choose another one. */
  isBusy = false
  /** The URLs that the process printed, by name. */
  readonly addresses = new Map<string, string>()
  starts = 0
  private readonly program: Program
  private readonly faultLog: string
  private readonly log: WriteStream
  private readonly armed = new Map<FaultPoint, number>()
  private isStopping = false
  private current: Incarnation

  constructor(folder: string, program: Program, proxy: TcpProxy | null) {
    this.name = program.name
    this.proxy = proxy
    this.program = program
    this.faultLog = join(folder, `${program.name}.points`)
    this.log = createWriteStream(join(folder, `${program.name}.log`), { flags: 'a' })
    this.current = this.start()
  }

  /** Resolves when the current incarnation, or a later one, is up. Never resolves after `stop`. */
  async up(): Promise<void> {
    while (!this.current.isUp) {
      await Promise.race([this.current.up, this.current.exited])
      if (this.isStopping) await new Promise(() => {})
    }
  }

  get isUp(): boolean {
    return this.current.isUp
  }

  /** A description of the current start, when the process is not up. */
  describeDowntime(): string[] {
    const { isUp, startedAt } = this.current
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
    return isUp ? [] : [`${this.name} is down: start number ${this.starts} began ${seconds} s ago`]
  }

  /** Resolves when the current incarnation has exited and the next one was started. */
  exited(): Promise<void> {
    return this.current.exited
  }

  /** From its next start on, the process crashes at each of these points once, with these probabilities. */
  arm(points: Partial<Record<FaultPoint, number>>): void {
    this.armed.clear()
    for (const point of FAULT_POINTS) if (points[point]) this.armed.set(point, points[point])
  }

  get armedPoints(): FaultPoint[] {
    return [...this.armed.keys()]
  }

  async kill(): Promise<void> {
    const { current } = this
    current.isKilled = true
    current.child.kill('SIGKILL')
    await current.exited
  }

  /** Stops the process with SIGTERM, as an update does, and starts it again. Resolves when it is up. */
  async replace(): Promise<void> {
    const { current } = this
    current.isReplaced = true
    current.child.kill('SIGTERM')
    this.killAfter(current, current.exited, STOP_TIMEOUT_MS, 'did not stop')
    await current.exited
    await this.up()
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGUSR2'): void {
    this.current.child.kill(signal)
  }

  async stop(): Promise<void> {
    this.isStopping = true
    this.signal('SIGCONT')
    this.current.child.kill('SIGTERM')
    this.killAfter(this.current, this.current.exited, STOP_TIMEOUT_MS, 'did not stop')
    await this.current.exited
    await new Promise((resolve) => this.log.end(resolve))
  }

  private start(): Incarnation {
    this.starts++
    const child = this.spawn()
    const incarnation: Incarnation = {
      child,
      isUp: false,
      isKilled: false,
      isReplaced: false,
      startedAt: performance.now(),
      up: this.readOutput(child, () => {
        incarnation.isUp = true
      }),
      exited: new Promise((resolve) => {
        // `close` rather than `exit`: the last output can arrive after `exit`.
        child.on('close', (code, signal) => {
          incarnation.isUp = false
          children.delete(child)
          this.recordExit(incarnation, code, signal)
          if (!this.isStopping) this.current = this.start()
          resolve()
        })
      }),
    }
    this.killAfter(incarnation, incarnation.up, START_TIMEOUT_MS, 'did not come up')
    return incarnation
  }

  private spawn(): ChildProcess {
    const points = [...this.armed].map(([point, probability]) => `${point}:${probability}`).join(',')
    const child = spawn(process.execPath, [LARGE_YOUNG_GENERATION, this.program.script()], {
      cwd: tmpdir(),
      // Its own process group, so that Ctrl-C reaches only this process, which then ends the child.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        HOME: tmpdir(),
        NODE_COMPILE_CACHE: COMPILE_CACHE,
        ...this.program.environment(),
        ...(points === '' ? {} : { FAULT_POINTS: points, FAULT_LOG: this.faultLog }),
      },
    })
    children.add(child)
    child.stderr.pipe(this.log, { end: false })
    return child
  }

  private readOutput({ stdout }: ChildProcess, onReady: () => void): Promise<void> {
    const { readyText, onLine } = this.program
    return new Promise((resolve) => {
      createInterface({ input: stdout as NodeJS.ReadableStream }).on('line', (line) => {
        this.log.write(`${line}\n`)
        const [, name, address] = /^ {2}(\S[^/]*?) {2,}(http\S+)$/.exec(line) ?? []
        if (name !== undefined && address !== undefined) this.addresses.set(name, address)
        if (line.includes(readyText)) {
          onReady()
          resolve()
        }
        onLine?.(line)
      })
    })
  }

  private killAfter(incarnation: Incarnation, event: Promise<void>, limitMs: number, problem: string): void {
    const timer = setTimeout(() => {
      this.unexpectedExits.push(`${this.name}: ${problem} within ${limitMs / 1000} s`)
      incarnation.isKilled = true
      incarnation.child.kill('SIGKILL')
    }, limitMs)
    void Promise.race([event, incarnation.exited]).then(() => clearTimeout(timer))
  }

  private recordExit(
    { child, isKilled, isReplaced }: Incarnation,
    code: number | null,
    signal: string | null,
  ): void {
    const point = this.readFiredPoint(child.pid)
    if (point) {
      this.firedPoints.push(point)
      this.armed.delete(point)
    }
    const isAsked = this.isStopping || isReplaced
    const isExpected = signal === 'SIGKILL' ? isKilled || point !== undefined : isAsked && code === 0
    if (!isExpected) this.unexpectedExits.push(`${this.name}: ${signal ?? `exit code ${code}`}`)
  }

  /** A process writes the point and its pid to the fault log before it kills itself. */
  private readFiredPoint(pid: number | undefined): FaultPoint | undefined {
    try {
      const lines = readFileSync(this.faultLog, 'utf8').split('\n')
      return FAULT_POINTS.find((point) => lines.includes(`${point} ${pid}`))
    } catch {
      return undefined
    }
  }
}
