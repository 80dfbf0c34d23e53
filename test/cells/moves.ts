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
  /** When each step was reached for the last time, in milliseconds since 1970. */
  times: Map<Step, number>
  /** Milliseconds since 1970. */
  began: number
  ended: number
}

/** The steps at which the mover is killed in one move, each time after a restart. The last start reaches the end. */
export type Kills = readonly Step[]

/** Every step once, in an order in which each of them is reached: after the commit at the source only the last steps are left. */
export const ALL_KILLS: readonly Kills[] = [
  [],
  ['files copied beforehand', 'requests held', 'rows deleted at the source', 'half of the files removed'],
  ['queues taken', 'source quiet', 'half of the tables copied', 'target committed'],
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
    times: new Map(),
    began: Date.now(),
    ended: 0,
  }
  const found: string[] = []
  const options = { organisation: organisation.id, from: from.address(), to: to.address(), routerUrl }
  const left = [...kills]
  for (;;) {
    const killAt = left[0] ?? null
    const { moved, isKilled, isBusy, problem, times } = await runMover(options, killAt)
    if (moved) Object.assign(record, moved)
    for (const [step, at] of times) record.times.set(step, at)
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

/** How long the organisation waited for each part of a move, in milliseconds. */
const PARTS: readonly [part: string, from: Step, until: Step][] = [
  ['requests in flight', 'queues taken', 'requests held'],
  ['jobs', 'requests held', 'source quiet'],
  ['rows and new files', 'source quiet', 'new files copied'],
  ['commit in both cells', 'new files copied', 'target committed'],
  ['directory', 'target committed', 'directory switched'],
]

export function describeMove(record: MoveRecord): string {
  const { from, to, killedAt, rows, filesBefore, filesDuring, interrupted, busy, times } = record
  const lengths = PARTS.map(
    ([part, since, until]) => `${part} ${(times.get(until) ?? 0) - (times.get(since) ?? 0)} ms`,
  )
  return [
    `${from} to ${to}`,
    ...(killedAt.length > 0
      ? [`killed at: ${killedAt.join('; ')}`]
      : [
          `${rows} rows, ${filesBefore} files before and ${filesDuring} while held, ${interrupted} queues interrupted`,
          ...lengths,
        ]),
    ...(busy > 0 ? [`${busy} times too busy`] : []),
  ].join(', ')
}
