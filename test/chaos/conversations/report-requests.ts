import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { ApiClient } from '../framework/api-client.ts'
import type { Random } from '../framework/random.ts'

/** Each report reads all conversations so far: more of them would only keep the model busy. */
const INTERVAL_MS = 4_000

/** A host who requests reports while the service is being killed. */
export function createReportRequests(client: ApiClient, projects: string[], random: Random) {
  /** The ids of the reports that the service accepted. */
  const accepted: string[] = []
  const wrongResponses: string[] = []
  let pending: Promise<void> = Promise.resolve()
  let nextAt = 0

  /** The idempotency key prevents a second report when a response is lost. */
  async function send(): Promise<void> {
    const path = `/api/v2/projects/${random.pick(projects)}/reports`
    const { status, body } = await client.retry('POST', path, {}, randomUUID())
    if (status === 202) accepted.push(body.id)
    else wrongResponses.push(`POST reports: ${status} ${JSON.stringify(body)}`)
  }

  /** Also for a fault that waits for its occasion; does nothing within 4 s of the last request. */
  function request(): void {
    if (performance.now() < nextAt) return
    nextAt = performance.now() + INTERVAL_MS
    pending = pending.then(send)
  }

  async function run(count: number, seconds: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      await pause((seconds * 1000) / count)
      nextAt = 0
      request()
    }
  }

  return { accepted, wrongResponses, request, run, over: () => pending }
}

export type ReportRequests = ReturnType<typeof createReportRequests>
