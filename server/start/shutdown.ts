import type { Logger } from '../../platform/log.ts'

type Stop = () => Promise<unknown>

/** Supervisors kill a process that has not stopped after 10 s. */
const LIMIT_MS = 9_500

/** Stops the parts of the service in the opposite order of their start, so that PostgreSQL is last. */
export class Shutdown {
  private readonly stops: { name: string; stop: Stop }[][] = []
  private running: Promise<void> | null = null
  private readonly log: Logger

  constructor(log: Logger) {
    this.log = log
  }

  /** A part that comes up during the stop is stopped immediately. */
  add(name: string, stop: Stop): void {
    if (this.running) void this.undo(name, stop)
    else this.stops.push([{ name, stop }])
  }

  /** Adds a part that stops together with the one added last, so that neither waits for the other. */
  addToLast(name: string, stop: Stop): void {
    const last = this.stops.at(-1)
    if (this.running || !last) this.add(name, stop)
    else last.push({ name, stop })
  }

  get isRunning(): boolean {
    return this.running !== null
  }

  /** Runs once, however often it is called. */
  run(): Promise<void> {
    this.running ??= this.stopAll()
    return this.running
  }

  private async stopAll(): Promise<void> {
    setTimeout(() => process.exit(1), LIMIT_MS).unref()
    for (const level of this.stops.toReversed())
      await Promise.all(level.map(({ name, stop }) => this.undo(name, stop)))
  }

  private undo(name: string, stop: Stop): Promise<unknown> {
    return stop().catch((err: unknown) => this.log.error({ err, component: name }, 'Did not stop cleanly'))
  }
}
