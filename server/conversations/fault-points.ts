import { declareFaultPoints } from '../../platform/fault-points.ts'

export const CONVERSATION_FAULTS = ['after_store', 'after_join', 'in_erasure'] as const
export const faultPoint = declareFaultPoints(CONVERSATION_FAULTS)
