import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { rules } from '../../delivery/index.ts'
import { idFloor } from '../../platform/ids.ts'

/** An event of the history, with its new time. */
export interface MovedEvent {
  oldId: string
  id: string
  at: Date
  full_body: string | null
  ids_body: string | null
}

/** Ids begin with the time: the log is partitioned by them. */
export const idAt = (at: Date, oldId: string): string => idFloor(at.getTime()).slice(0, 13) + oldId.slice(13)

export interface Delivery {
  id: string
  webhook_id: string
  event_id: string
  event_at: string
  status: string
  attempts: number
  payload: 'full' | 'ids'
  created_at: string
  due_at: string
  expires_at: string
  finished_at: string | null
}

export interface Attempt {
  delivery_id: string
  number: number
  at: string
  duration_ms: number
  details: { opened: boolean; sent?: string[]; answer_headers?: Record<string, string> }
}

/** A delivery and its attempts at the time of the moved event, signed with the secret of its webhook. */
export function moveDelivery(old: Delivery, oldAttempts: Attempt[], event: MovedEvent, secret: string) {
  const shift = event.at.getTime() - Date.parse(old.event_at)
  const later = (time: string): string => new Date(Date.parse(time) + shift).toISOString()
  const created_at = later(old.created_at)
  const delivery: Delivery = {
    ...old,
    id: idAt(new Date(created_at), old.id),
    event_id: event.id,
    event_at: event.at.toISOString(),
    created_at,
    due_at: later(old.due_at),
    expires_at: later(old.expires_at),
    finished_at: old.finished_at === null ? null : later(old.finished_at),
  }
  const attempts = oldAttempts.map((attempt) => ({
    ...attempt,
    delivery_id: delivery.id,
    at: later(attempt.at),
  }))
  if (delivery.status === 'pending') addRetries(delivery, attempts)
  const body = (delivery.payload === 'full' ? event.full_body : event.ids_body) ?? ''
  return { delivery, attempts: attempts.map((attempt) => signAgain(attempt, event.id, body, secret)) }
}

/** The attempts that would have been made since, by the retry schedule, with the response of the last one. */
function addRetries(delivery: Delivery, attempts: Attempt[], now = Date.now()): void {
  const expires = Date.parse(delivery.expires_at)
  for (let last = attempts.at(-1); last; last = attempts.at(-1)) {
    const end = Date.parse(last.at) + last.duration_ms
    const failure = { number: last.number, retryAfter: null, now: end, leftMs: expires - end }
    const wait = rules.nextWait(failure, () => (last.number * 0.37) % 1)
    delivery.attempts = last.number
    if (wait === null) {
      Object.assign(delivery, { status: 'failed', finished_at: new Date(end).toISOString() })
      return
    }
    const next = new Date(end + wait).toISOString()
    delivery.due_at = next
    if (end + wait > now) return
    attempts.push({ ...last, number: last.number + 1, at: next })
  }
}

/** As the service signs: over the body alone in hexadecimal, and by Standard Webhooks. The response gets the new date, too. */
function signAgain(attempt: Attempt, eventId: string, body: string, secret: string): Attempt {
  const [host = '', agent = ''] = attempt.details.sent ?? []
  const plain = createHmac('sha256', secret).update(body).digest('hex')
  const standard = new Webhook(secret).sign(eventId, new Date(attempt.at), body)
  const headers = attempt.details.answer_headers
  const answer_headers = headers && { ...headers, date: new Date(attempt.at).toUTCString() }
  return {
    ...attempt,
    details: {
      ...attempt.details,
      opened: false,
      sent: [host, agent, plain, standard],
      ...(answer_headers && { answer_headers }),
    },
  }
}
