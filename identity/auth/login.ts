import { sql } from 'kysely'
import { z } from 'zod'
import { inTransaction } from '../../server/kernel/database.ts'
import { newId } from '../../server/kernel/ids.ts'
import type { Identity } from '../context.ts'
import { invalidCredentials, invalidOtp } from '../errors.ts'
import type { IdentityDb } from '../tables.ts'
import { otpHolds } from '../tfa/totp.ts'
import { PASSWORD_MAX } from '../users/user-schema.ts'
import { isLocked, notLocked, recordFailure } from './attempts.ts'
import { type Grant, grant, kindOf, type Mode, modeSchema } from './grant.ts'
import { claimsOf, type LiveUser, liveUsers } from './live-user.ts'
import { openSession, secondsOf } from './sessions.ts'

export const loginSchema = z.object({
  email: z.email(),
  password: z.string().min(1).max(PASSWORD_MAX),
  otp: z.string().max(32).optional(),
  mode: modeSchema.default('json'),
})
type Login = z.output<typeof loginSchema>

interface Account extends LiveUser {
  password_hash: string | null
  tfa_secret: string | null
}

export async function login(identity: Identity, { email, password, otp, mode }: Login): Promise<Grant> {
  const { db, passwords } = identity
  const account = await findAccount(db, email)
  const passwordHolds = await passwords.verifyLogin(account?.password_hash ?? null, password)
  if (!account || !passwordHolds) {
    // An unknown user costs the same statement.
    await recordFailure(db, account?.id ?? newId())
    throw invalidCredentials()
  }
  await requireOtp(identity, account, otp)
  return grant(identity, mode, claimsOf(account), await admit(identity, account, mode))
}

const findAccount = (db: IdentityDb, email: string): Promise<Account | undefined> =>
  liveUsers(db)
    .select(['users.password_hash', 'users.tfa_secret'])
    .where(sql`lower(users.email)`, '=', email.toLowerCase())
    .executeTakeFirst()

/** Only a right password gets to know that a code is wanted, and a locked user not even then. */
async function requireOtp(identity: Identity, account: Account, otp: string | undefined): Promise<void> {
  if (account.tfa_secret === null) return
  if (otp === undefined || otp === '')
    throw (await isLocked(identity.db, account.id)) ? invalidCredentials() : invalidOtp()
  if (otpHolds(identity, account.id, account.tfa_secret, otp)) return
  throw (await recordFailure(identity.db, account.id)) ? invalidOtp() : invalidCredentials()
}

/**
 * The lock, the status and the password are looked at again where the session is made: of many guesses that run in
 * parallel the right one must come before the 25th wrong one, and a password that was just changed opens nothing.
 */
const admit = (identity: Identity, account: Account, mode: Mode): Promise<string> =>
  inTransaction(identity.db, async (tx) => {
    const admitted = await tx
      .updateTable('users')
      .set({ failed_logins: 0, locked_until: null })
      .where('id', '=', account.id)
      .where('status', '=', 'active')
      .where('password_hash', '=', account.password_hash)
      .where(notLocked)
      .returning('id')
      .executeTakeFirst()
    if (!admitted) throw invalidCredentials()
    const kind = kindOf(mode)
    return openSession(tx, account.id, kind, secondsOf(kind, identity))
  })
