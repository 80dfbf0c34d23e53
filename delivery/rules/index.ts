/** The numbers of the rules, for documents and the demo. */
export { RESPONSE_SECONDS } from '../http/index.ts'
export { FAILURES_TO_OPEN } from './circuit-breaker.ts'
export { LIFETIME_HOURS } from './lifetime.ts'
export { MAX_ATTEMPTS, nextWait } from './retry-schedule.ts'
