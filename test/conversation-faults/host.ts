import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { ApiClient } from '../faults/api-client.ts'
import type { Random } from '../faults/random.ts'
import type { Waits } from '../faults/waits.ts'

/** Each is made from all that was said so far: more of them would only keep the model busy. */
const REPORT_EVERY_MS = 4_000

export interface HostOptions {
  client: ApiClient
  projects: string[]
  random: Random
  waits: Waits
}

/** Somebody who asks for reports while the service is being killed under them. */
export class Host {
  /** Ids of the reports that the service promised. */
  readonly reports: string[] = []
  /** Answers that nobody should get. */
  readonly wrong: string[] = []
  private readonly options: HostOptions
  private asking: Promise<void> = Promise.resolve()
  private nextAt = 0

  constructor(options: HostOptions) {
    this.options = options
  }

  /** So many, at even distances. */
  async run(count: number, seconds: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      await pause((seconds * 1000) / count)
      this.nextAt = 0
      this.askForReport()
    }
  }

  /** Also for a fault that waits for its occasion; too early it does nothing. */
  askForReport(): void {
    if (performance.now() < this.nextAt) return
    this.nextAt = performance.now() + REPORT_EVERY_MS
    this.asking = this.asking.then(() => this.ask())
  }

  async allOver(): Promise<void> {
    await this.asking
  }

  /** The key makes sure that one whose answer was lost is not made twice. */
  private async ask(): Promise<void> {
    const { client, projects, random, waits } = this.options
    const path = `/api/v2/projects/${random.pick(projects)}/reports`
    const answer = await waits.for('a report to be promised', client.insist('POST', path, {}, randomUUID()))
    if (answer.status === 202) this.reports.push(answer.body.id)
    else this.wrong.push(`POST reports: ${answer.status} ${JSON.stringify(answer.body)}`)
  }
}
