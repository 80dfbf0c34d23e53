import { randomBytes } from 'node:crypto'
import { EVENT_TYPES } from '../../chaos/webhooks/domain-events.ts'
import { type Receiver, startReceiver } from '../../chaos/webhooks/receiver.ts'
import { type PlannedSubscription, type Subscription, subscribe } from '../../chaos/webhooks/subscriptions.ts'
import type { Organisation } from './organisation.ts'

/** The receivers of each project. A request to the slow one is often in flight when its organisation is moved. */
const BEHAVIOURS = ['ok', 'ok', 'slow', 'flaky'] as const

/** Starts the receivers of all projects, and subscribes them through the router. */
export async function subscribeReceivers(
  folder: string,
  seed: string,
  organisations: readonly Organisation[],
): Promise<{ receiver: Receiver; subscriptions: Subscription[] }> {
  const plans = organisations.flatMap(({ client, projects }) =>
    projects.flatMap((projectId) => BEHAVIOURS.map((behaviour) => ({ client, projectId, behaviour }))),
  )
  const planned = plans.map(({ client, ...plan }, index) => ({ client, plan: complete(plan, index + 1) }))
  const receiver = await startReceiver(
    folder,
    seed,
    planned.map(({ plan }) => plan),
  )
  const subscriptions = await Promise.all(
    planned.map(({ client, plan }) => subscribe(client, receiver, plan)),
  )
  return { receiver, subscriptions }
}

const complete = (
  plan: Pick<PlannedSubscription, 'projectId' | 'behaviour'>,
  number: number,
): PlannedSubscription => ({
  ...plan,
  number,
  secret: `whsec_${randomBytes(24).toString('base64')}`,
  payload: 'full',
  events: [...EVENT_TYPES],
})
