import { randomBytes, randomUUID } from 'node:crypto'
import type { ApiAnswer, ApiClient } from './api-client.ts'
import type { Random } from './random.ts'
import { HOSTILE, type Receiver, type ReceiverPlan } from './receiver.ts'

const PROJECTS = 5
/** A fifth of them hostile, one of each kind. */
const RECEIVERS = 5 * HOSTILE.length
const EVENTS = [
  'conversation.started',
  'conversation.transcribed',
  'conversation.summarized',
  'report.generated',
]

/** Who will be told of what, drawn by the seed. The secrets are not: a run's secrets are its own. */
export function planReceivers(random: Random): ReceiverPlan[] {
  const healthy = Array.from({ length: RECEIVERS - HOSTILE.length }, () => 'ok' as const)
  return random.shuffled([...HOSTILE, ...healthy]).map((behaviour, index) => ({
    number: index + 1,
    behaviour,
    secret: secretOf(index),
    payload: random.happens(0.15) ? 'ids' : 'full',
    events: random.happens(0.5) ? EVENTS : random.shuffled(EVENTS).slice(0, random.whole(1, 3)),
  }))
}

/** Plain words, Standard Webhooks' own form, and now and then none at all. */
function secretOf(index: number): string | null {
  if (index % 11 === 10) return null
  return index % 2 === 0
    ? `whsec_${randomBytes(24).toString('base64')}`
    : `geheim-é-${randomBytes(12).toString('hex')}`
}

/** A receiver that the service knows. */
export interface Subscription extends ReceiverPlan {
  webhookId: string
  projectId: string
  /** Milliseconds since 1970 at which the API had said so: whatever began later is owed to it. */
  since: number
}

export async function createProjects(client: ApiClient): Promise<string[]> {
  const name = 'Faults'
  const organisation = await create(client, '/api/v2/organisations', { name })
  const workspace = await create(client, `/api/v2/organisations/${organisation}/workspaces`, { name })
  return Promise.all(
    Array.from({ length: PROJECTS }, (_, index) =>
      create(client, `/api/v2/workspaces/${workspace}/projects`, { name: `${name} ${index + 1}` }),
    ),
  )
}

/** Whatever happens to the API meanwhile: the key makes sure that it is made once. */
export async function subscribe(
  client: ApiClient,
  receiver: Receiver,
  plan: ReceiverPlan,
  projectId: string,
): Promise<Subscription> {
  const { number, events, secret, payload } = plan
  const url = receiver.urlOf(number)
  const body = { url, events, name: nameOf(plan), payload, ...(secret === null ? {} : { secret }) }
  const webhookId = await create(client, `/api/projects/${projectId}/webhooks`, body)
  return { ...plan, webhookId, projectId, since: Date.now() }
}

const nameOf = ({ number }: ReceiverPlan): string => `receiver ${number}`

async function create(client: ApiClient, path: string, body: unknown): Promise<string> {
  const answer = await client.insist('POST', path, body, randomUUID())
  if (answer.status !== 201) throw new Error(`POST ${path} was refused: ${JSON.stringify(answer)}`)
  return answer.body.id
}

/** Where the API shows other webhooks than those that were ordered, each once. */
export async function findWrongWebhooks(
  client: ApiClient,
  subscriptions: readonly Subscription[],
): Promise<string[]> {
  const wrong: string[] = []
  for (const [projectId, ordered] of Map.groupBy(subscriptions, (subscription) => subscription.projectId)) {
    const { body }: ApiAnswer = await client.insist('GET', `/api/projects/${projectId}/webhooks`)
    const shown = (body as { id: string; name: string; enabled: boolean }[])
      .map(({ id, name, enabled }) => `${name} ${id} ${enabled ? 'enabled' : 'disabled'}`)
      .sort()
    const expected = ordered.map((plan) => `${nameOf(plan)} ${plan.webhookId} enabled`).sort()
    wrong.push(...difference(shown, expected).map((line) => `not ordered: ${line}`))
    wrong.push(...difference(expected, shown).map((line) => `not there: ${line}`))
  }
  return wrong
}

const difference = (of: string[], without: string[]): string[] => {
  const left = [...without]
  return of.filter((line) => {
    const index = left.indexOf(line)
    if (index >= 0) left.splice(index, 1)
    return index < 0
  })
}
