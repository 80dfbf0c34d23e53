import { uuidv7 } from 'uuidv7'

/** Ids come from the program, not from the server: PostgreSQL has `uuidv7()` only since 18, and we run on 15. */
export const newId = (): string => uuidv7()

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** An id that is no UUID can't exist, so that callers answer 404 and PostgreSQL never sees it. */
export const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value)

/** The smallest UUID v7 of a moment, in milliseconds since 1970: bounds on ids leave whole days of a partitioned table out. */
export function idFloor(moment: number): string {
  const hex = Math.max(0, Math.floor(moment)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
