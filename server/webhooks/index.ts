/** Webhooks: registration, events, and the log of deliveries. The `delivery` package sends them. */
import './problems.ts'

export {
  createEgress,
  type Egress,
  listenToProjects,
  notifyProject,
  WAKE_CHANNEL,
} from '../../delivery/index.ts'
export { tiersWithWebhooks } from './access.ts'
export { createEmitter, type Emit } from './events/emit.ts'
export { erasePayloads } from './events/erase-payloads.ts'
export { describeEvents } from './events/openapi.ts'
export type { ConversationPayload } from './events/payloads.ts'
export type { DomainEvent } from './events/serialise.ts'
export { disableForStaff } from './manage/disable-for-staff.ts'
export { HEALTH_STATE } from './manage/health-state.ts'
export { readWebhooks } from './manage/read-webhooks.ts'
export { healthState, Webhook } from './manage/schema.ts'
export { registerWebhooks, type WebhookParts } from './routes.ts'
