import { declareFaultPoints } from '../platform/fault-points.ts'

export const DELIVERY_FAULTS = [
  'after_lease',
  'after_claim',
  'after_post',
  'after_record',
  'in_replay',
] as const
export const faultPoint = declareFaultPoints(DELIVERY_FAULTS)
