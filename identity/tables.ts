import type { Generated, Kysely, Transaction } from 'kysely'

/** The tables of the schema `identity`. */
export interface IdentityTables {
  roles: RoleRow
  users: UserRow
  sessions: SessionRow
  session_tokens: SessionTokenRow
  known_addresses: KnownAddressRow
}

export type IdentityDb = Kysely<IdentityTables>
export type IdentityTx = Transaction<IdentityTables>

interface RoleRow {
  id: string
  name: string
  admin_access: boolean
  app_access: boolean
}

interface UserRow {
  id: string
  email: string | null
  first_name: string | null
  last_name: string | null
  status: Generated<string>
  role: string | null
  password_hash: string | null
  token_hash: Buffer | null
  /** Encrypted, see tfa/totp.ts. */
  tfa_secret: string | null
  last_otp_step: number | null
  failed_logins: Generated<number>
  locked_until: string | null
  created_at: Generated<string>
}

interface KnownAddressRow {
  user_id: string
  address: Buffer
  failed_logins: Generated<number>
  locked_until: string | null
  last_login_at: Generated<string>
}

/** `refresh` for the modes json and cookie, with separate access tokens; `session` for the session cookie. */
export type SessionKind = 'refresh' | 'session'

interface SessionRow {
  id: string
  user_id: string
  kind: SessionKind
  created_at: Generated<string>
}

interface SessionTokenRow {
  token_hash: Buffer
  session_id: string
  expires_at: string
  rotated_at: string | null
}
