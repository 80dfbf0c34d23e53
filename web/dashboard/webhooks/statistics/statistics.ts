import type { Schemas } from '../../api/client.ts'

export type Statistics = Schemas['DeliveryStatistics']

export const totalOf = (counts: Statistics['total']): number =>
  counts.succeeded + counts.failed + counts.missed + counts.pending + counts.cancelled
