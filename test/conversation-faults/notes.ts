import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONVERSATION_FAULTS, type FaultPoint } from '../../server/kernel/fault-points.ts'
import type { Supervised } from '../faults/supervised.ts'

/** Where a process of this suite may die; those of the kernel belong to every transaction. */
export const POINTS: readonly FaultPoint[] = ['before_commit', 'after_commit', ...CONVERSATION_FAULTS]

/** Every death at a fault point, in order. */
export function firingsOf(folder: string, { name }: Supervised): FaultPoint[] {
  const lines = readOrEmpty(join(folder, `${name}.points`)).split('\n')
  return lines.flatMap((line) => POINTS.find((point) => line.startsWith(`${point} `)) ?? [])
}

/** Deaths that nobody ordered. The supervisor knows the points of deliveries alone: of others it says SIGKILL. */
export function surprisesOf(folder: string, process: Supervised): string[] {
  const points: readonly FaultPoint[] = CONVERSATION_FAULTS
  let explained = firingsOf(folder, process).filter((point) => points.includes(point)).length
  return process.surprises.flatMap(({ name, how }) =>
    how === 'SIGKILL' && explained-- > 0 ? [] : [`${name}: ${how}`],
  )
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
