/** The log of deliveries, as the API shows and erases it. */
export { headersOf } from '../dispatch/outgoing-request.ts'
export { DELIVERING } from '../rules/due-deliveries.ts'
export { FIRST_PENDING_ID } from '../rules/lifetime.ts'
export { deliveriesOfEvents } from './deliveries-of-events.ts'
export { erasePayloads, erasePayloadsOfProject } from './erase-payloads.ts'
