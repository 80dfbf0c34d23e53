import type { MetricsSnapshot } from '../../platform/metrics.ts'

/** From a helper to the first process. */
export type HelperMessage = { kind: 'ready' } | { kind: 'metrics'; id: number; metrics: MetricsSnapshot }

/** From the first process to a helper, which sends its metrics with the same id. */
export interface HelperRequest {
  id: number
}
