import type { Logger } from '../../platform/log.ts'

type Stop = () => Promise<unknown>

/** The whole stop must be over by then, as a supervisor would otherwise kill us in the middle of it. */
const LIMIT_MS = 9_500

/** What was started, and how to stop it: undone in the opposite order, so that PostgreSQL is last. */
export class Shutdown {
  private readonly stops: { name: string; stop: Stop }[][] = []
  private underWay: Promise<void> | null = null
  private readonly log: Logger

  constructor(log: Logger) {
    this.log = log
  }

  /** What is added while the stop is under way came up too late, and goes at once. */
  add(name: string, stop: Stop): void {
    if (this.underWay) void this.undo(name, stop)
    else this.stops.push([{ name, stop }])
  }

  /** Goes together with what was added last, so that neither waits for the other. */
  addBeside(name: string, stop: Stop): void {
    const last = this.stops.at(-1)
    if (this.underWay || !last) this.add(name, stop)
    else last.push({ name, stop })
  }

  get isUnderWay(): boolean {
    return this.underWay !== null
  }

  /** Once, however often it is asked for. */
  run(): Promise<void> {
    this.underWay ??= this.stopAll()
    return this.underWay
  }

  private async stopAll(): Promise<void> {
    setTimeout(() => process.exit(1), LIMIT_MS).unref()
    for (const level of this.stops.toReversed())
      await Promise.all(level.map(({ name, stop }) => this.undo(name, stop)))
  }

  private undo(name: string, stop: Stop): Promise<unknown> {
    return stop().catch((err: unknown) => this.log.error({ err, component: name }, 'did not stop cleanly'))
  }
}
