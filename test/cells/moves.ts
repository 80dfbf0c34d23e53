import type { Cell } from './cell.ts'
import { findFolders, findLeftBehind } from './checks/placement.ts'
import type { Organisation } from './load/organisation.ts'
import type { Moved } from './mover/move-organisation.ts'
import { runMover } from './mover/run-mover.ts'
import type { Step } from './mover/steps.ts'

/** One move, however often its mover was killed. */
export interface MoveRecord extends Moved {
  from: string
  to: string
  killedAt: Step[]
  /** How often the organisation was too busy. */
  busy: number
  /** Milliseconds since 1970. `committed`: when the source had deleted the rows. */
  began: number
  committed: number
  ended: number
}

/** The steps at which the mover is killed, one after the other, before it comes to the end. */
export type Kills = readonly Step[]

/** Every step once, in an order in which each of them is reached: after the commit at the source only the last steps are left. */
export const ALL_KILLS: readonly Kills[] = [
  [],
  ['files copied beforehand', 'requests held', 'rows deleted at the source', 'half of the files removed'],
  ['source quiet', 'half of the tables copied', 'target committed'],
  [],
  ['new files copied', 'target prepared', 'directory switched'],
  [],
]
export const FEW_KILLS: readonly Kills[] = [[], ['target prepared', 'rows deleted at the source']]

const MAX_BUSY = 5

/** Moves the organisation, and checks that nothing of it is left at the source. */
export async function move(
  organisation: Organisation,
  [from, to]: readonly [Cell, Cell],
  routerUrl: string,
  kills: Kills,
): Promise<{ record: MoveRecord; found: string[] }> {
  const record: MoveRecord = {
    from: from.name,
    to: to.name,
    killedAt: [],
    busy: 0,
    rows: 0,
    filesBefore: 0,
    filesDuring: 0,
    interrupted: 0,
    began: Date.now(),
    committed: 0,
    ended: 0,
  }
  const found: string[] = []
  const options = { organisation: organisation.id, from: from.address(), to: to.address(), routerUrl }
  const left = [...kills]
  for (;;) {
    const killAt = left[0] ?? null
    const { moved, isKilled, isBusy, problem, committed } = await runMover(options, killAt)
    if (moved) Object.assign(record, moved)
    record.committed ||= committed
    if (problem !== '') found.push(`${from.name} to ${to.name}: ${problem}`)
    if (isBusy && ++record.busy < MAX_BUSY) continue
    if (!isKilled) break
    record.killedAt.push(...left.splice(0, 1))
  }
  record.ended = Date.now()
  const conversations = organisation.participants.sessions.flatMap(({ id }) => id ?? [])
  found.push(
    ...(await findLeftBehind(from, organisation.id)),
    ...(await findFolders(from, conversations, organisation.projects)),
  )
  return { record, found }
}

export function describeMove({
  from,
  to,
  killedAt,
  rows,
  filesBefore,
  filesDuring,
  interrupted,
  busy,
}: MoveRecord): string {
  const kills = killedAt.length > 0 ? `, killed at: ${killedAt.join('; ')}` : ''
  const waits = busy > 0 ? `, ${busy} times too busy` : ''
  return `${from} to ${to}: ${rows} rows, ${filesBefore} + ${filesDuring} files, ${interrupted} queues interrupted${waits}${kills}`
}
