import { randomBytes } from 'node:crypto'
import type { ApiClient } from '../framework/api-client.ts'
import { create } from '../framework/fixtures.ts'
import type { Random } from '../framework/random.ts'
import { EVENT_TYPES } from './domain-events.ts'
import { FAULTY_BEHAVIOURS, type Receiver, type ReceiverPlan } from './receiver.ts'

/** One of each faulty behaviour, and four healthy receivers for each of them. */
const RECEIVERS = 5 * FAULTY_BEHAVIOURS.length

/** A receiver and the project that it will subscribe to. */
export interface PlannedSubscription extends ReceiverPlan {
  projectId: string
}

/** A receiver that the service knows. */
export interface Subscription extends PlannedSubscription {
  webhookId: string
  /** When the API had confirmed it, in milliseconds since 1970: it must get every event that began later. */
  since: number
}

/** The seed decides everything but the secrets. */
export function planSubscriptions(projects: readonly string[], random: Random): PlannedSubscription[] {
  const healthy = Array.from({ length: RECEIVERS - FAULTY_BEHAVIOURS.length }, () => 'ok' as const)
  return random.shuffle([...FAULTY_BEHAVIOURS, ...healthy]).map((behaviour, index) => ({
    number: index + 1,
    behaviour,
    secret: newSecret(index),
    payload: random.chance(0.15) ? 'ids' : 'full',
    events: random.chance(0.5)
      ? [...EVENT_TYPES]
      : random.shuffle<string>(EVENT_TYPES).slice(0, random.integer(1, 3)),
    projectId: projects[index % projects.length] as string,
  }))
}

/** The form of Standard Webhooks, plain text, and sometimes none. */
function newSecret(index: number): string | null {
  if (index % 11 === 10) return null
  return index % 2 === 0
    ? `whsec_${randomBytes(24).toString('base64')}`
    : `geheim-é-${randomBytes(12).toString('hex')}`
}

export async function subscribe(
  client: ApiClient,
  receiver: Receiver,
  plan: PlannedSubscription,
): Promise<Subscription> {
  const { number, events, secret, payload, projectId } = plan
  const url = receiver.urlOf(number)
  const body = { url, events, name: webhookName(plan), payload, ...(secret === null ? {} : { secret }) }
  const webhookId = await create(client, `/api/projects/${projectId}/webhooks`, body)
  return { ...plan, webhookId, since: Date.now() }
}

export const webhookName = ({ number }: ReceiverPlan): string => `receiver ${number}`

/** Where the API lists other webhooks than those that were created, or one of them twice. */
export async function findWrongWebhooks(
  client: ApiClient,
  subscriptions: readonly Subscription[],
): Promise<string[]> {
  const wrong: string[] = []
  for (const [projectId, created] of Map.groupBy(subscriptions, (one) => one.projectId)) {
    const { body } = await client.retry('GET', `/api/projects/${projectId}/webhooks`)
    const expected = new Set(created.map((plan) => `${webhookName(plan)} ${plan.webhookId} enabled`))
    for (const { id, name, enabled } of body as { id: string; name: string; enabled: boolean }[]) {
      const line = `${name} ${id} ${enabled ? 'enabled' : 'disabled'}`
      if (!expected.delete(line)) wrong.push(`not created: ${line}`)
    }
    wrong.push(...[...expected].map((line) => `missing: ${line}`))
  }
  return wrong
}
