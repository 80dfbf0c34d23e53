import { sql } from 'kysely'
import { type Caller, isService } from '../caller.ts'
import type { Query } from '../parse.ts'
import type { IdentityDb } from '../tables.ts'
import { MASK } from './user-schema.ts'

/** The fields of a user in the API. The service reads only these; others also see whether the secrets are set. */
const PLAIN = ['id', 'first_name', 'last_name', 'email', 'status', 'role'] as const
const SECRETS = ['password', 'token', 'tfa_secret'] as const
type Field = (typeof PLAIN | typeof SECRETS)[number]

const readableBy = (caller: Caller): Field[] => (isService(caller) ? [...PLAIN] : [...PLAIN, ...SECRETS])

/** The fields of `?fields=` that exist and that the caller can read; all readable ones by default. */
export function fieldsOf(query: Query, caller: Caller): Field[] {
  const given = [query.fields, query['fields[]']].flat().filter((part) => typeof part === 'string')
  const wanted = given.flatMap((part) => part.split(',')).map((field) => field.trim())
  if (given.length === 0 || wanted.includes('*')) return readableBy(caller)
  return readableBy(caller).filter((field) => wanted.includes(field))
}

/** The database masks secrets, so that the API cannot return one by mistake. */
export const selectUsers = (db: IdentityDb) =>
  db
    .selectFrom('users')
    .select(PLAIN)
    .select([
      masked('password_hash').as('password'),
      masked('token_hash').as('token'),
      masked('tfa_secret').as('tfa_secret'),
    ])

const masked = (column: string) =>
  sql<string | null>`case when ${sql.ref(column)} is not null then ${MASK} end`

export const viewUser = (user: Record<Field, string | null>, fields: Field[]) =>
  Object.fromEntries(fields.map((field) => [field, user[field]]))
