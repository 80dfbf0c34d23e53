import { CONVERSATION_FAULTS, type FaultPoint } from '../../platform/fault-points.ts'

/** Where a process of this suite may die; those of the kernel belong to every transaction. */
export const POINTS: readonly FaultPoint[] = ['before_commit', 'after_commit', ...CONVERSATION_FAULTS]
