import { type Db, isDatabaseAway } from '../../database/database.ts'
import type { Logger } from '../../platform/log.ts'
import { endDeliveries } from '../statements/end-deliveries.ts'
import type { EndpointQueue } from './endpoint-queue.ts'
import type { HeldQueues } from './held-queues.ts'

/** Ends claimed deliveries that must not be sent. */
export type Ending = () => Promise<unknown>

/** One that the database refuses does not delay the others; its deliveries are claimed again. */
export async function runEndings(endings: Ending[], log: Logger): Promise<void> {
  for (const ending of endings) {
    try {
      await ending()
    } catch (err) {
      if (isDatabaseAway(err)) throw err
      log.error({ err, component: 'webhooks' }, 'Ending deliveries that must not be sent failed; retrying')
    }
  }
}

/** Up to a batch: the queue stays ready until a claim finds no more. */
export async function endPending(
  queue: EndpointQueue,
  status: 'missed' | 'cancelled',
  queues: HeldQueues,
  db: Db,
): Promise<void> {
  const ended = await endDeliveries(db, queue.webhookId, status)
  if (ended === 0) queues.markDrained(queue)
  else queues.markReady(queue)
}
