/** The state of the audit log, which is in its address. */
export interface AuditFilters {
  action?: string
  actor_id?: string
  workspace_id?: string
  /** Days in the reader's zone, as `2026-11-17`. */
  since?: string
  until?: string
}

const DAY = /^\d{4}-\d\d-\d\d$/

/** Values that an address can have by accident are ignored. */
export function readAuditFilters(search: Record<string, unknown>): AuditFilters {
  const text = (name: string): string | undefined => {
    const value = search[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const day = (name: string): string | undefined => {
    const value = text(name)
    return value !== undefined && DAY.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined
  }
  const [action, actor_id, workspace_id] = [text('action'), text('actor_id'), text('workspace_id')]
  const [since, until] = [day('since'), day('until')]
  return {
    ...(action && { action }),
    ...(actor_id && { actor_id }),
    ...(workspace_id && { workspace_id }),
    ...(since && { since }),
    ...(until && { until }),
  }
}

/** The filters of the API. The last day is included. */
export function toAuditQuery({ since, until, ...exact }: AuditFilters) {
  return {
    ...exact,
    ...(since && { since: startOf(since).toISOString() }),
    ...(until && { until: startOf(until, 1).toISOString() }),
  }
}

function startOf(day: string, later = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later)
}
