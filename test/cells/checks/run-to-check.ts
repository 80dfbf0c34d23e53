import type { Row, Violations } from '../../chaos/framework/chaos-run.ts'
import type { Receiver } from '../../chaos/webhooks/receiver.ts'
import type { Subscription } from '../../chaos/webhooks/subscriptions.ts'
import type { EventStreams } from '../../cluster/event-streams.ts'
import type { Cell } from '../cell.ts'
import type { Host } from '../load/host.ts'
import type { Organisation } from '../load/organisation.ts'
import type { MoveRecord } from '../moves.ts'
import type { TrafficReport } from '../router/traffic.ts'

export interface RunResult {
  rows: Row[]
  violations: Violations
}

/** A run whose processes have stopped; the databases are still up. */
export interface Run {
  cells: readonly Cell[]
  /** Where each organisation must be. */
  placed: readonly { organisation: Organisation; cell: Cell }[]
  moved: Organisation
  hosts: readonly Host[]
  records: readonly MoveRecord[]
  subscriptions: readonly Subscription[]
  receiver: Receiver
  streams: readonly EventStreams[]
  traffic: TrafficReport
  /** Problems of the moves. */
  problems: string[]
  unfinished: string[]
  modelKey: string
}
