import { declareFaultPoints } from '../../platform/fault-points.ts'

export const SUMMARY_FAULTS = ['after_summary'] as const
export const faultPoint = declareFaultPoints(SUMMARY_FAULTS)
