import { uuidv7 } from 'uuidv7'

/** Generated here, because PostgreSQL has `uuidv7()` only since 18 and we support 15. */
export const newId = (): string => uuidv7()

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** An id that is not a UUID can't exist: callers respond with 404, without a query that PostgreSQL would reject. */
export const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value)

/** The smallest UUID v7 of a time in milliseconds. As a bound on ids it lets PostgreSQL skip partitions. */
export function idFloor(moment: number): string {
  const hex = Math.max(0, Math.floor(moment)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
