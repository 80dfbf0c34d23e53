import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { ApiClient } from '../framework/api-client.ts'
import type { Random } from '../framework/random.ts'
import type { Receiver } from './receiver.ts'
import { type PlannedSubscription, type Subscription, subscribe, webhookName } from './subscriptions.ts'

const REQUEST_EVERY_MS = 200
const REPLAY_SECONDS = 3
/** Once everything is delivered. */
const REPLAYS_END_WITHIN_MS = 30_000

/**
 * Sends requests to the API while it is being killed: changes, reads, replays and new subscriptions. `late` subscribe during the
 * run and are added to `subscriptions`.
 */
export function startApiTraffic(
  client: ApiClient,
  receiver: Receiver,
  subscriptions: Subscription[],
  late: readonly PlannedSubscription[],
  random: Random,
) {
  const wrongResponses: string[] = []
  const replays: string[] = []
  const notSubscribed = [...late]
  const pending = new Set<Promise<void>>()
  let isStopping = false
  let isReplaying = false

  function track(work: Promise<void>): void {
    const guarded = work.catch((error: unknown) => void wrongResponses.push(String(error)))
    pending.add(guarded)
    void guarded.finally(() => pending.delete(guarded))
  }

  /** A change without effect, and a read, so that the API has transactions in which it can crash. */
  async function patchAndRead(): Promise<void> {
    while (!isStopping) {
      const webhook = random.pick(subscriptions)
      const path = `/api/projects/${webhook.projectId}/webhooks/${webhook.webhookId}`
      for (const { status, body } of [
        await client.tryOnce('PATCH', path, { name: webhookName(webhook) }),
        await client.tryOnce('GET', `${path}/deliveries?limit=5`),
      ])
        if (![0, 200, 503].includes(status)) wrongResponses.push(`${status} ${JSON.stringify(body)}`)
      await pause(REQUEST_EVERY_MS)
    }
  }

  async function replay(): Promise<void> {
    const { projectId, webhookId } = random.pick(subscriptions.filter(({ behaviour }) => behaviour === 'ok'))
    const path = `/api/projects/${projectId}/webhooks/${webhookId}/replay`
    const since = new Date(Date.now() - REPLAY_SECONDS * 1000).toISOString()
    const { status, body } = await client.retry('POST', path, { since, only: 'all' }, randomUUID())
    if (status === 202) replays.push(`${path}/${body.id}`)
    else wrongResponses.push(`replay: ${status} ${JSON.stringify(body)}`)
  }

  function subscribeNext(): void {
    const next = notSubscribed.shift()
    if (next) track(subscribe(client, receiver, next).then((one) => void subscriptions.push(one)))
  }

  track(patchAndRead())
  return {
    wrongResponses,
    subscribeNext,
    requestReplay: () => {
      if (isReplaying) return
      isReplaying = true
      track(replay().finally(() => (isReplaying = false)))
    },
    /** Resolves when every request has its response. */
    stop: async () => {
      isStopping = true
      while (notSubscribed.length > 0) subscribeNext()
      await Promise.all(pending)
    },
    /** The replays that the API accepted and that do not come to their end. */
    findOpenReplays: async (): Promise<string[]> => {
      const open: string[] = []
      const deadline = performance.now() + REPLAYS_END_WITHIN_MS
      for (const path of replays) {
        const read = async () => (await client.retry('GET', path)).body
        let body = await read()
        while (body.state === 'running' && performance.now() < deadline) {
          await pause(REQUEST_EVERY_MS)
          body = await read()
        }
        // `done` can exceed `total`: a transaction that began before the replay can commit after the count.
        if (body.state !== 'done' || body.done < body.total || body.failed > 0)
          open.push(`${path}: ${JSON.stringify(body)}`)
      }
      return open
    },
  }
}

export type ApiTraffic = ReturnType<typeof startApiTraffic>
