/** The state of the list, which is in its address. */
export interface Filters {
  q?: string
  status?: (typeof STATUSES)[number]
  source?: (typeof SOURCES)[number]
  tag?: string
  language?: string
  /** The first and the last day, in the reader's zone: `2026-01-31`. */
  from?: string
  to?: string
}

export const STATUSES = ['recording', 'transcribing', 'summarizing', 'done', 'failed'] as const
export const SOURCES = ['portal_audio', 'portal_text', 'upload'] as const

const DAY = /^\d{4}-\d{2}-\d{2}$/
const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/

/** Values that an address can have by accident are ignored. */
export function readFilters(search: Record<string, unknown>): Filters {
  const text = (name: string, isValid: (value: string) => boolean = () => true): string | undefined => {
    const value = search[name]
    // The router reads a number from an address as a number.
    const read = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
    return read !== '' && isValid(read) ? read : undefined
  }
  const isDay = (value: string): boolean => DAY.test(value) && startOf(value) !== null
  const [q, tag] = [text('q', ({ length }) => length <= 200), text('tag')]
  const [from, to, language] = [
    text('from', isDay),
    text('to', isDay),
    text('language', (tag) => LANGUAGE.test(tag)),
  ]
  const status = STATUSES.find((one) => one === search['status'])
  const source = SOURCES.find((one) => one === search['source'])
  return {
    ...(q && { q }),
    ...(status && { status }),
    ...(source && { source }),
    ...(tag && { tag }),
    ...(language && { language }),
    ...(from && { from }),
    ...(to && { to }),
  }
}

/** The beginning of a day in the reader's zone; null if there is no such day. */
function startOf(day: string, daysLater = 0): Date | null {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const start = new Date(year, month - 1, date + daysLater)
  return Number.isNaN(start.getTime()) || (daysLater === 0 && start.getDate() !== date) ? null : start
}

/** As the API takes them. */
export function queryOf({ from, to, ...others }: Filters) {
  const [since, until] = [from && startOf(from), to && startOf(to, 1)]
  return {
    ...others,
    ...(since && { since: since.toISOString() }),
    ...(until && { until: until.toISOString() }),
  }
}
