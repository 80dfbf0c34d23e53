import { sql } from 'kysely'
import { z } from 'zod'
import { inTransaction } from '../../server/kernel/database.ts'
import { newId } from '../../server/kernel/ids.ts'
import type { Identity } from '../context.ts'
import { invalidCredentials, invalidOtp } from '../errors.ts'
import type { IdentityDb } from '../tables.ts'
import { isUnusedStep, stepOfOtp } from '../tfa/totp.ts'
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
  const step = await requireOtp(identity, account, otp)
  const token = await admit(identity, account, step, mode)
  if (token === null) throw await refusalOf(identity, account, step)
  return grant(identity, mode, claimsOf(account), token)
}

const findAccount = (db: IdentityDb, email: string): Promise<Account | undefined> =>
  liveUsers(db)
    .select(['users.password_hash', 'users.tfa_secret'])
    .where(sql`lower(users.email)`, '=', email.toLowerCase())
    .executeTakeFirst()

/** Returns the time step of the code, or null when the user has no second factor. Only a right password gets to know that a code is wanted, and a locked user not even then. */
async function requireOtp(
  identity: Identity,
  account: Account,
  otp: string | undefined,
): Promise<number | null> {
  if (account.tfa_secret === null) return null
  if (otp === undefined || otp === '')
    throw (await isLocked(identity.db, account.id)) ? invalidCredentials() : invalidOtp()
  const step = stepOfOtp(identity, account.id, account.tfa_secret, otp)
  if (step !== null) return step
  throw (await recordFailure(identity.db, account.id)) ? invalidOtp() : invalidCredentials()
}

/**
 * The lock, the status and the password are looked at again where the session is made: of many guesses that run in
 * parallel the right one must come before the 25th wrong one, and a password that was just changed opens nothing.
 * The code is marked as used in the same statement. Returns the session's token, or null.
 */
const admit = (
  identity: Identity,
  account: Account,
  step: number | null,
  mode: Mode,
): Promise<string | null> =>
  inTransaction(identity.db, async (tx) => {
    const admitted = await tx
      .updateTable('users')
      .set({ failed_logins: 0, locked_until: null, ...(step === null ? {} : { last_otp_step: step }) })
      .where('id', '=', account.id)
      .where('status', '=', 'active')
      .where('password_hash', '=', account.password_hash)
      .where('tfa_secret', account.tfa_secret === null ? 'is' : '=', account.tfa_secret)
      .where(notLocked)
      .$if(step !== null, (query) => query.where(isUnusedStep(step as number)))
      .returning('id')
      .executeTakeFirst()
    if (!admitted) return null
    const kind = kindOf(mode)
    return openSession(tx, account.id, kind, secondsOf(kind, identity))
  })

/** A code that was used before is a wrong code. */
async function refusalOf(
  { db }: Identity,
  account: Account,
  step: number | null,
): Promise<ReturnType<typeof invalidOtp>> {
  if (step === null) return invalidCredentials()
  return (await recordFailure(db, account.id)) ? invalidOtp() : invalidCredentials()
}
