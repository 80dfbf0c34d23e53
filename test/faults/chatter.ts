import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { ApiClient } from './api-client.ts'
import type { Random } from './random.ts'
import type { Receiver, ReceiverPlan } from './receiver.ts'
import { type Subscription, subscribe } from './subscriptions.ts'

/** People who use the API while it is being killed under them. */
export interface Chatter {
  /** The next of those who subscribe late does so now. */
  subscribeNext(): void
  askForReplay(): void
  /** Everything that was asked for has been answered. */
  stop(): Promise<void>
  /** Answers that nobody should get. */
  wrong: string[]
  replays: { path: string; id: string }[]
}

export interface Latecomer {
  plan: ReceiverPlan
  projectId: string
}

const EVERY_MS = 100
const REPLAY_SECONDS = 3
/** Once everything is delivered. */
const REPLAY_ENDS_WITHIN_MS = 30_000

export function startChatter(
  client: ApiClient,
  receiver: Receiver,
  subscriptions: Subscription[],
  latecomers: Latecomer[],
  random: Random,
): Chatter {
  const chatter: Pick<Chatter, 'wrong' | 'replays'> = { wrong: [], replays: [] }
  const underWay = new Set<Promise<void>>()
  const waiting = [...latecomers]
  let isStopping = false
  let isReplaying = false

  function follow(work: Promise<void>): void {
    const guarded = work.catch((error: unknown) => void chatter.wrong.push(String(error)))
    underWay.add(guarded)
    void guarded.finally(() => underWay.delete(guarded))
  }

  async function join({ plan, projectId }: Latecomer): Promise<void> {
    subscriptions.push(await subscribe(client, receiver, plan, projectId))
  }

  /** A change without consequences, and a look: their transactions are what the API dies in. */
  async function talk(): Promise<void> {
    while (!isStopping) {
      const { projectId, webhookId, number } = random.pick(subscriptions)
      const path = `/api/projects/${projectId}/webhooks/${webhookId}`
      const answers = [
        await client.try('PATCH', path, { name: `receiver ${number}` }),
        await client.try('GET', `${path}/deliveries?limit=5`),
      ]
      for (const answer of answers)
        if (answer && answer.status !== 200 && answer.status !== 503)
          chatter.wrong.push(`${answer.status} ${JSON.stringify(answer.body)}`)
      await pause(EVERY_MS)
    }
  }

  async function replay(): Promise<void> {
    const healthy = subscriptions.filter(({ behaviour }) => behaviour === 'ok')
    const { projectId, webhookId } = random.pick(healthy)
    const path = `/api/projects/${projectId}/webhooks/${webhookId}/replay`
    const since = new Date(Date.now() - REPLAY_SECONDS * 1000).toISOString()
    const answer = await client.insist('POST', path, { since, only: 'all' }, randomUUID())
    if (answer.status === 202) chatter.replays.push({ path, id: answer.body.id })
    else chatter.wrong.push(`replay: ${answer.status} ${JSON.stringify(answer.body)}`)
  }

  follow(talk())
  return {
    ...chatter,
    subscribeNext: () => {
      const next = waiting.shift()
      if (next) follow(join(next))
    },
    askForReplay: () => {
      if (isReplaying) return
      isReplaying = true
      follow(replay().finally(() => (isReplaying = false)))
    },
    stop: async () => {
      isStopping = true
      for (const latecomer of waiting.splice(0)) follow(join(latecomer))
      await Promise.all(underWay)
    },
  }
}

/** A replay that the API took on has to come to its end, whoever died meanwhile. */
export async function findOpenReplays(client: ApiClient, { replays }: Chatter): Promise<string[]> {
  const open: string[] = []
  const deadline = performance.now() + REPLAY_ENDS_WITHIN_MS
  for (const { path, id } of replays) {
    const look = async () => (await client.insist('GET', `${path}/${id}`)).body
    let body = await look()
    while (body.state === 'running' && performance.now() < deadline) {
      await pause(EVERY_MS)
      body = await look()
    }
    // More than was counted at its start: a transaction that began before it may have committed after it.
    if (body.state !== 'done' || body.done < body.total || body.failed > 0)
      open.push(`${id}: ${JSON.stringify(body)}`)
  }
  return open
}
