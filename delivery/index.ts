/** The webhook delivery engine. Other packages import this file only. */
export { startDeliveries } from './dispatch/dispatcher.ts'
export { MAX_IN_FLIGHT } from './dispatch/endpoint-queue.ts'
export { headersOf, toRecord, unsignedHeaders } from './dispatch/outgoing-request.ts'
export { createEgress, type Egress, parseTargetUrl } from './http/index.ts'
export {
  listenToProjects,
  notifyProject,
  parseNotification,
  WAKE_CHANNEL,
} from './notifications.ts'
export { maintainPartitions } from './partitions.ts'
export { createReplay } from './replays/create-replay.ts'
export { runReplays } from './replays/run-replays.ts'
export { FIRST_PENDING_ID } from './rules/lifetime.ts'
export { isValidSecret, newSecret, openSecret, sealSecret, strengthOf } from './signing/secret.ts'
export { closeBreaker, disableWebhook } from './statements/disable-webhook.ts'
export { endDeliveries, endUnsendableDeliveries } from './statements/end-deliveries.ts'
export { deleteDeadDispatchers } from './statements/lease-queues.ts'
export { type NewEvent, publishEvent } from './statements/publish-event.ts'
export { resendDelivery } from './statements/resend-delivery.ts'
export { recordTest, SecretUnreadable, sendTest, type TestResult } from './test-delivery.ts'
