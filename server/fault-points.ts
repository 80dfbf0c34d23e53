import { DATABASE_FAULTS } from '../database/fault-points.ts'
import { DELIVERY_FAULTS } from '../delivery/index.ts'
import { parseFaultPoints } from '../platform/fault-points.ts'
import { CONVERSATION_FAULTS } from './conversations/fault-points.ts'
import { REPORT_FAULTS } from './reports/fault-points.ts'
import { SUMMARY_FAULTS } from './summaries/fault-points.ts'
import { TRANSCRIPTION_FAULTS } from './transcription/fault-points.ts'

/** For the setting FAULT_POINTS and the fault tests. */
export const WEBHOOK_FAULTS = [...DATABASE_FAULTS, ...DELIVERY_FAULTS] as const
export const RECORDING_FAULTS = [
  ...DATABASE_FAULTS,
  ...CONVERSATION_FAULTS,
  ...TRANSCRIPTION_FAULTS,
  ...SUMMARY_FAULTS,
  ...REPORT_FAULTS,
] as const
export type FaultPoint = (typeof WEBHOOK_FAULTS | typeof RECORDING_FAULTS)[number]
export const FAULT_POINTS: FaultPoint[] = [...new Set([...WEBHOOK_FAULTS, ...RECORDING_FAULTS])]
export const readFaultPoints = (text: string) => parseFaultPoints(text, FAULT_POINTS)
