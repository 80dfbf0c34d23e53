/** The state of the list, which is in its address. */
export interface Filters {
  q?: string
  status?: (typeof STATUSES)[number]
  source?: (typeof SOURCES)[number]
  tag?: string
}

export const STATUSES = ['recording', 'transcribing', 'summarizing', 'done', 'failed'] as const
export const SOURCES = ['portal_audio', 'portal_text', 'upload'] as const

/** Values that an address can have by accident are ignored. */
export function readFilters(search: Record<string, unknown>): Filters {
  const text = (name: string): string | undefined => {
    const value = search[name]
    // The router reads a number from an address as a number.
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  }
  const [q, tag] = [text('q'), text('tag')]
  const status = STATUSES.find((one) => one === search['status'])
  const source = SOURCES.find((one) => one === search['source'])
  return { ...(q && { q }), ...(status && { status }), ...(source && { source }), ...(tag && { tag }) }
}
