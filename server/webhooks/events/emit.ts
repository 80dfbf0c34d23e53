import type { Tx } from '../../../database/database.ts'
import { publishEvent } from '../../../delivery/index.ts'
import { tiersWithWebhooks } from '../access.ts'
import { newEnvelope } from './new-envelope.ts'
import { type DomainEvent, toNewEvent } from './serialise.ts'

/** Publishes an event to the project's webhooks and feed, in the transaction of the change. Returns the event's id. */
export type Emit = (tx: Tx, event: DomainEvent) => Promise<string>

export interface EmitterOptions {
  /** For links in payloads. */
  publicUrl: string
  tierGates: boolean
}

export function createEmitter({ publicUrl, tierGates }: EmitterOptions): Emit {
  const tiers = tiersWithWebhooks(tierGates)
  return async (tx, event) => {
    const envelope = await newEnvelope(tx, event.projectId)
    // Events of a deleted project must not be stored.
    if (envelope.deleted) return envelope.id
    return publishEvent(tx, toNewEvent(event, { ...envelope, publicUrl }), { key: keyOf(event), tiers })
  }
}

/** Identifies the change of state, so that the same change never emits two events. */
function keyOf(event: DomainEvent): string {
  if (event.type === 'report.generated') return `${event.type}:${event.report.id}`
  if (event.type === 'conversation.erased') return `${event.type}:${event.conversationId}`
  const { id, revision } = event.conversation
  return event.type === 'conversation.started' ? `${event.type}:${id}` : `${event.type}:${id}:${revision}`
}
