export { createEgress } from './client.ts'
export { FIXED_HEADERS } from './request.ts'
export { parseTargetUrl } from './target-url.ts'
export type {
  Egress,
  EgressError,
  EgressLimits,
  EgressOptions,
  EgressRequest,
  EgressResult,
  EgressTimings,
  Resolve,
} from './types.ts'
export { RESPONSE_SECONDS } from './types.ts'
