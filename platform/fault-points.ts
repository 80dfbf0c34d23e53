import { appendFileSync } from 'node:fs'

/** The points where a crash is most dangerous. Only the fault tests make processes crash there. */
export const DELIVERY_FAULTS = [
  'before_commit',
  'after_commit',
  'after_lease',
  'after_claim',
  'after_post',
  'after_record',
  'in_replay',
] as const
export const CONVERSATION_FAULTS = [
  'after_store',
  'after_transcription',
  'after_summary',
  'after_join',
  'after_report',
  'in_erasure',
] as const
export const FAULT_POINTS = [...DELIVERY_FAULTS, ...CONVERSATION_FAULTS]
export type FaultPoint = (typeof FAULT_POINTS)[number]

const odds = new Map<FaultPoint, number>()
let logFile: string | undefined

/** `after_post:0.02,before_commit:0.01`: each name with the probability of a crash. */
export function parseFaultPoints(text: string): Map<FaultPoint, number> {
  const entries = text.split(',').map((part) => part.trim().split(':'))
  return new Map(
    entries.map(([name, chance]) => {
      const known = FAULT_POINTS.find((point) => point === name)
      if (!known || !(Number(chance) > 0 && Number(chance) <= 1))
        throw new Error(`must be name:probability with names from ${FAULT_POINTS.join(', ')}`)
      return [known, Number(chance)]
    }),
  )
}

/** Enables the points in this process. `log` gets one line for each crash. */
export function enableFaultPoints(text: string | undefined, log: string | undefined): void {
  if (!text) return
  for (const [point, chance] of parseFaultPoints(text)) odds.set(point, chance)
  logFile = log
}

export function faultPoint(point: FaultPoint): void {
  if (odds.size === 0 || Math.random() >= (odds.get(point) ?? 0)) return
  if (logFile) appendFileSync(logFile, `${point} ${process.pid}\n`, { flush: true })
  process.kill(process.pid, 'SIGKILL')
}
