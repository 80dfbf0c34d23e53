import { sql } from 'kysely'
import { isUuid } from '../../platform/ids.ts'
import { type Caller, requireReader } from '../caller.ts'
import type { Identity } from '../context.ts'
import { invalidQuery } from '../errors.ts'
import type { Query } from '../parse.ts'
import { fieldsOf, selectUsers, viewUser } from './user-view.ts'

type Users = ReturnType<typeof selectUsers>

const DEFAULT_LIMIT = 100

export async function listUsers({ db }: Identity, caller: Caller | null, query: Query) {
  const reader = requireReader(caller)
  rejectUnknown(query)
  const limit = wholeNumber(query, 'limit', -1) ?? DEFAULT_LIMIT
  let users = filtered(selectUsers(db), query)
    .orderBy('id')
    .offset(wholeNumber(query, 'offset', 0) ?? 0)
  if (limit !== -1) users = users.limit(limit)
  const fields = fieldsOf(query, reader)
  return (await users.execute()).map((user) => viewUser(user, fields))
}

const filters: Record<string, (users: Users, value: string) => Users> = {
  'filter[id][_eq]': (users, id) => users.where(isOneOf([id])),
  'filter[id][_in]': (users, ids) => users.where(isOneOf(ids.split(','))),
  'filter[email][_eq]': (users, email) =>
    users.where(sql`lower(email)`, '=', email.replaceAll('\0', '').toLowerCase()),
}

/** Ignores ids that are not UUIDs, which PostgreSQL would reject. */
const isOneOf = (ids: string[]) =>
  sql<boolean>`id = any(${ids.map((id) => id.trim()).filter(isUuid)}::uuid[])`

function filtered(users: Users, query: Query): Users {
  return Object.entries(filters).reduce((narrowed, [name, narrow]) => {
    const value = query[name]
    return typeof value === 'string' ? narrow(narrowed, value) : narrowed
  }, users)
}

const KNOWN = new Set(['fields', 'fields[]', 'limit', 'offset', 'access_token', ...Object.keys(filters)])

/** Ignoring an unknown filter would return all users. */
function rejectUnknown(query: Query): void {
  for (const [name, value] of Object.entries(query)) {
    if (!KNOWN.has(name))
      throw invalidQuery('Only fields, limit, offset and filters by id (_eq, _in) and email (_eq) are known')
    if (Array.isArray(value) && !name.startsWith('fields')) throw invalidQuery('A parameter is given twice')
  }
}

function wholeNumber(query: Query, name: string, min: number): number | undefined {
  const text = query[name]
  if (typeof text !== 'string') return undefined
  if (!/^-?\d{1,9}$/.test(text) || Number(text) < min)
    throw invalidQuery(`"${name}" must be a whole number, at least ${min}`)
  return Number(text)
}
