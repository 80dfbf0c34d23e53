import { setTimeout as pause } from 'node:timers/promises'
import type { Api } from './api.ts'
import { ENDPOINTS } from './endpoints.ts'
import type { DemoReceiver } from './receiver.ts'
import type { DemoState } from './state.ts'

type Webhooks = DemoState['webhooks']

const pathOf = ({ project, id }: Webhooks[string]): string => `/api/projects/${project}/webhooks/${id}`

/** Each with a secret that the service generates. */
export async function createWebhooks(
  host: Api,
  receiver: DemoReceiver,
  projects: Record<string, string>,
): Promise<Webhooks> {
  const webhooks: Webhooks = {}
  for (const { slug, name, project: key, events, payload } of ENDPOINTS) {
    const project = projects[key] as string
    const { id, secret } = await host.post(`/api/projects/${project}/webhooks`, {
      name,
      url: `${receiver.url}/${slug}`,
      events,
      payload,
      generate_secret: true,
    })
    webhooks[slug] = { id, project, secret: String(secret) }
    receiver.secrets.set(slug, String(secret))
  }
  return webhooks
}

export async function disableOnDay(host: Api, webhooks: Webhooks, day: number): Promise<void> {
  for (const { slug, disabledOnDay } of ENDPOINTS)
    if (disabledOnDay === day)
      await host.send('PATCH', pathOf(webhooks[slug] as Webhooks[string]), { enabled: false })
}

/** After a start on which the port of the receiver was taken. */
export async function moveWebhooks(host: Api, webhooks: Webhooks, receiver: DemoReceiver): Promise<void> {
  for (const [slug, webhook] of Object.entries(webhooks))
    await host.send('PATCH', pathOf(webhook), { url: `${receiver.url}/${slug}` })
}

interface Delivery {
  status: string
  attempts: number
}

/** Until every delivery was attempted once, so that the next day can have other responses. */
export async function untilAttempted(host: Api, webhooks: Webhooks): Promise<void> {
  for (const webhook of Object.values(webhooks)) {
    const untouched = async () => {
      const { data } = await host.get<{ data: Delivery[] }>(`${pathOf(webhook)}/deliveries?limit=50`)
      return data.some(({ status, attempts }) => ['pending', 'delivering'].includes(status) && attempts === 0)
    }
    while (await untouched()) await pause(100)
  }
}
