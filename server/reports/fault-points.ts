import { declareFaultPoints } from '../../platform/fault-points.ts'

export const REPORT_FAULTS = ['after_report'] as const
export const faultPoint = declareFaultPoints(REPORT_FAULTS)
