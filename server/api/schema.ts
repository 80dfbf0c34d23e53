import { z } from 'zod'

/** Text that PostgreSQL and every export can store: without NUL and lone surrogates. */
export const text = (min: number, max: number) =>
  z
    .string()
    .min(min, min === 1 ? 'must not be empty' : `must have at least ${min} characters`)
    .max(max, `must have at most ${max} characters`)
    .refine((value) => !value.includes('\0'), 'must not contain NUL')
    .refine((value) => value.isWellFormed(), 'must be well-formed Unicode')

/** A name with at least one visible character. */
export const name = (max: number) => text(1, max).refine((value) => value.trim() !== '', 'must not be blank')

/** The identity store's id of a user: a UUID at Directus, any short string elsewhere. */
export const userId = text(1, 255)

export const languageTag = z
  .string()
  .max(35)
  .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language tag such as en or pt-BR')

export const id = z.uuid().describe('UUID v7')
export const timestamp = z.iso.datetime({ precision: 3 }).describe('UTC, ISO 8601 with milliseconds')

/** PostgreSQL has no year 0, and writes years after 9999 in another way than ISO 8601. */
const FIRST_MOMENT = Date.parse('0001-01-01T00:00:00.000Z')
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z')

/** A time in any zone, converted to UTC. */
export const moment = z.iso
  .datetime({ offset: true, message: 'must be a time in ISO 8601, like 2026-01-31T10:00:00Z' })
  .refine((text) => isWithinCalendar(Date.parse(text)), 'must be a time in the years 1 to 9999')
  .transform((text) => new Date(text).toISOString())

/** Whether PostgreSQL and ISO 8601 both support the time; false for NaN. */
export const isWithinCalendar = (time: number): boolean => time >= FIRST_MOMENT && time <= LAST_MOMENT

/** Names of the time zone database, with its aliases. Offsets are left out: PostgreSQL reads their sign the other way round. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w/+-]{0,63}$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).format()
    return true
  } catch {
    return false
  }
}

/** The zone of charts by day. */
export const timeZone = z
  .string()
  .refine(isTimeZone, 'must be a time zone such as Europe/Brussels')
  .default('UTC')
  .describe('In which days begin')

/** Bodies with unknown fields are invalid, so that callers notice a misspelt field. */
export const input = z.strictObject

/** For routes without input: no body, an empty body and `{}` are equal. */
export const noBody = z.strictObject({}).nullish()

/** The parts that all routes which delete a record have in common. */
export const deletion = { method: 'DELETE', body: noBody, responses: { 204: null } } as const

export const ProblemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    code: z.string().describe('Stable and machine readable; all are listed at /api/problems'),
    request_id: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem', description: 'An error, as problem details (RFC 9457)' })
