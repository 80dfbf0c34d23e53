/** Webhooks: registration, events, and the log of deliveries. The `delivery` package sends them. */
import './problems.ts'

export {
  createEgress,
  type Egress,
  listenToProjects,
  notifyProject,
  WAKE_CHANNEL,
} from '../../delivery/index.ts'
export { disableForStaff } from './disable-for-staff.ts'
export { erasePayloads } from './erase-payloads.ts'
export { createEmitter, type Emit } from './events/emit.ts'
export { describeEvents } from './events/openapi.ts'
export type { ConversationPayload } from './events/payloads.ts'
export type { DomainEvent } from './events/serialise.ts'
export { readWebhooks } from './read-webhooks.ts'
export { registerWebhooks, type WebhookParts } from './routes.ts'
export { Webhook } from './schema.ts'
