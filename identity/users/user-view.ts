import { type Caller, isService } from '../caller.ts'
import type { Query } from '../parse.ts'
import type { IdentityDb } from '../tables.ts'
import { MASK } from './user-schema.ts'

/** A user in the API, with masked secrets. */
interface UserView {
  id: string
  first_name: string | null
  last_name: string | null
  email: string | null
  password: string | null
  status: string
  role: string | null
  token: string | null
  tfa_secret: string | null
}
type Field = keyof UserView

const ALL: Field[] = [
  'id',
  'first_name',
  'last_name',
  'email',
  'password',
  'status',
  'role',
  'token',
  'tfa_secret',
]
const FOR_SERVICE: Field[] = ['id', 'status', 'email', 'first_name', 'last_name', 'role']

const readableBy = (caller: Caller): Field[] => (isService(caller) ? FOR_SERVICE : ALL)

/** The fields of `?fields=` that exist and that the caller can read; all readable ones by default. */
export function fieldsOf(query: Query, caller: Caller): Field[] {
  const given = [query.fields, query['fields[]']].flat().filter((part) => typeof part === 'string')
  const wanted = given.flatMap((part) => part.split(',')).map((field) => field.trim())
  if (given.length === 0 || wanted.includes('*')) return readableBy(caller)
  return readableBy(caller).filter((field) => wanted.includes(field))
}

export const selectUsers = (db: IdentityDb) =>
  db
    .selectFrom('users')
    .select([
      'id',
      'first_name',
      'last_name',
      'email',
      'status',
      'role',
      'password_hash',
      'token_hash',
      'tfa_secret',
    ])

type SelectedUser = Awaited<ReturnType<ReturnType<typeof selectUsers>['executeTakeFirstOrThrow']>>

export function viewUser(user: SelectedUser, fields: Field[]): Partial<UserView> {
  const { password_hash, token_hash, tfa_secret, ...plain } = user
  const view: UserView = {
    ...plain,
    password: mask(password_hash),
    token: mask(token_hash),
    tfa_secret: mask(tfa_secret),
  }
  return Object.fromEntries(fields.map((field) => [field, view[field]]))
}

const mask = (secret: unknown): string | null => (secret === null ? null : MASK)
