import { declareFaultPoints } from '../platform/fault-points.ts'

export const DATABASE_FAULTS = ['before_commit', 'after_commit'] as const
export const faultPoint = declareFaultPoints(DATABASE_FAULTS)
