import type { FaultPoint } from '../../platform/fault-points.ts'

/** Points at which one process is to die, one start after the other. */
export interface Chain<Role extends string> {
  role: Role
  points: [FaultPoint, chance: number][]
}

/** Of anything that a storm may play. */
export const pointsOf = (card: string | Chain<string>): FaultPoint[] =>
  typeof card === 'object' ? card.points.map(([point]) => point) : []

export const nameOf = (card: string | Chain<string>): string =>
  typeof card === 'object' ? `${card.role} to die ${pointsOf(card).join(', ')}` : card

/** That point alone, in the first process that has it. */
export function chainOf<Role extends string>(chains: readonly Chain<Role>[], point: FaultPoint): Chain<Role> {
  const chain = chains.find((one) => pointsOf(one).includes(point)) as Chain<Role>
  return { ...chain, points: chain.points.filter(([name]) => name === point) }
}

/** As a process is told of it. */
export const armament = ([point, chance]: [FaultPoint, number]): string => `${point}:${chance}`
