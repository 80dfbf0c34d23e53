import { setTimeout as pause } from 'node:timers/promises'
import { readJobs, readUnfinished } from '../../chaos/conversations/evidence.ts'
import { readBacklog } from '../../chaos/webhooks/evidence.ts'
import type { Subscription } from '../../chaos/webhooks/subscriptions.ts'
import { type Cell, queryAll } from '../cell.ts'
import type { Organisation } from '../load/organisation.ts'

const LIMIT_MS = 120_000

/** Waits until everything is processed, and delivered to healthy receivers. Returns what is left after the time limit. */
export async function drain(
  cells: readonly Cell[],
  organisations: readonly Organisation[],
  subscriptions: readonly Subscription[],
): Promise<string[]> {
  const everywhere = { query: queryAll(cells) }
  const conversations = organisations.flatMap(({ participants }) =>
    participants.sessions.flatMap(({ id }) => id ?? []),
  )
  const reports = organisations.flatMap((one) => one.reports.accepted)
  const healthy = subscriptions.flatMap(({ behaviour, webhookId }) => (behaviour === 'ok' ? [webhookId] : []))
  const findRest = async (): Promise<string[]> => {
    const backlogs = await Promise.all(cells.map(({ fixtures }) => readBacklog(fixtures.cluster, healthy)))
    const pending = backlogs.reduce((sum, one) => sum + one.pending, 0)
    return [
      ...(await readUnfinished(everywhere, conversations, reports)),
      ...(pending > 0 ? [`${pending} × delivery`] : []),
    ]
  }
  const deadline = performance.now() + LIMIT_MS
  let rest = await findRest()
  while (rest.length > 0 && performance.now() < deadline) {
    await pause(200)
    rest = await findRest()
  }
  if (rest.length > 0) console.log((await readJobs(everywhere)).join('\n'))
  return rest
}
