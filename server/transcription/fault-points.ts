import { declareFaultPoints } from '../../platform/fault-points.ts'

export const TRANSCRIPTION_FAULTS = ['after_transcription'] as const
export const faultPoint = declareFaultPoints(TRANSCRIPTION_FAULTS)
