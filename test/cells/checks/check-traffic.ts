import { listCounts, type Row, type Violations } from '../../chaos/framework/chaos-run.ts'
import type { Run } from './run-to-check.ts'

/** Compares the counts of the router: only the moved organisation gets 503, and only from the router. */
export function checkTraffic({ traffic, moved, placed, records }: Run): {
  rows: Row[]
  violations: Violations
} {
  const refused: string[] = []
  const failed: string[] = []
  for (const { organisation } of placed) {
    const { statuses = {}, held = 0 } = traffic[organisation.id] ?? {}
    if (organisation !== moved && held > 0) refused.push(`${held} responses to ${organisation.id}`)
    for (const [status, count] of Object.entries(statuses))
      if (Number(status) >= 500 || status === 'ended by the cell')
        failed.push(`${count} × ${status} for ${organisation.id}`)
      else if (status === 'ended by the router' && organisation !== moved)
        refused.push(`${count} × ${status} for ${organisation.id}`)
  }
  const own = traffic[moved.id] ?? { statuses: {}, held: 0, holds: [] }
  const holds = own.holds.map((ms, index) => ({ ms, record: records[index] }))
  const list = (isKilled: boolean): string =>
    holds
      .filter(({ record }) => (record?.killedAt.length ?? 0) > 0 === isKilled)
      .map(({ ms }) => ms)
      .join(', ') || 'none'
  const others = placed.flatMap(({ organisation }) => (organisation === moved ? [] : [organisation]))
  return {
    rows: [
      ['responses to the moved organisation', listCounts(new Map(Object.entries(own.statuses)))],
      ['  503 with Retry-After by the router', own.held],
      ['  requests held in moves without a kill (ms)', list(false)],
      ['  requests held in moves with kills (ms)', list(true)],
      ...others.map(
        ({ id }): Row => [
          'responses to another organisation',
          listCounts(new Map(Object.entries(traffic[id]?.statuses ?? {}))),
        ],
      ),
    ],
    violations: { 'another organisation was refused': refused, 'a cell failed': failed },
  }
}
