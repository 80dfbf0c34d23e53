import { sql } from 'kysely'
import { z } from 'zod'
import { inTransaction } from '../../database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Identity } from '../context.ts'
import { invalidCredentials, invalidOtp, type StoreError } from '../errors.ts'
import type { IdentityDb } from '../tables.ts'
import { isUnusedStep, stepOfOtp } from '../tfa/totp.ts'
import { EMAIL_MAX, PASSWORD_MAX } from '../users/user-schema.ts'
import { type FailureCount, isLocked, notLocked, recordFailure } from './attempts.ts'
import { type Grant, grant, kindOf, type Mode, modeSchema } from './grant.ts'
import { isRecent, rememberAddress } from './known-addresses.ts'
import { claimsOf, type LiveUser, liveUsers } from './live-user.ts'
import { openSession, secondsOf } from './sessions.ts'

export const loginSchema = z.object({
  email: z.email().max(EMAIL_MAX),
  password: z.string().min(1).max(PASSWORD_MAX),
  otp: z.string().max(32).optional(),
  mode: modeSchema.default('json'),
})
type Login = z.output<typeof loginSchema>

interface Account extends LiveUser {
  password_hash: string | null
  tfa_secret: string | null
}

export async function login(
  identity: Identity,
  { email, password, otp, mode }: Login,
  clientAddress: string,
): Promise<Grant> {
  const { db, passwords, hashLimits } = identity
  const address = identity.addressDigest(clientAddress)
  const account = await findAccount(db, email, address)
  const count = { userId: account?.id ?? newId(), address, known: account?.known_address != null }
  if (!count.known) hashLimits.loginFromNewAddress(email.toLowerCase())
  const passwordHolds = await passwords.verifyLogin(account?.password_hash ?? null, password)
  if (!account || !passwordHolds) {
    // An unknown user costs the same statement.
    await recordFailure(db, count)
    throw invalidCredentials()
  }
  const step = await requireOtp(identity, account, otp, count)
  const token = await admit(identity, account, { step, mode, count })
  if (token === null) throw await refusalOf(db, step, count)
  return grant(identity, mode, claimsOf(account), token)
}

const findAccount = (db: IdentityDb, email: string, address: Buffer) =>
  liveUsers(db)
    .leftJoin('known_addresses', (join) =>
      join
        .onRef('known_addresses.user_id', '=', 'users.id')
        .on('known_addresses.address', '=', address)
        .on(isRecent),
    )
    .select(['users.password_hash', 'users.tfa_secret', 'known_addresses.address as known_address'])
    .where(sql`lower(users.email)`, '=', email.toLowerCase())
    .executeTakeFirst()

/**
 * Returns the time step of the code, or null when the user has no second factor. Only a right password reveals that a code
 * is needed, and not while sign-in is locked.
 */
async function requireOtp(
  identity: Identity,
  account: Account,
  otp: string | undefined,
  count: FailureCount,
): Promise<number | null> {
  if (account.tfa_secret === null) return null
  if (otp === undefined || otp === '')
    throw (await isLocked(identity.db, count)) ? invalidCredentials() : invalidOtp()
  const step = stepOfOtp(identity, account.id, account.tfa_secret, otp)
  if (step !== null) return step
  throw (await recordFailure(identity.db, count)) ? invalidOtp() : invalidCredentials()
}

/**
 * The lock, the status and the password are looked at again where the session is made: of many guesses that run in
 * parallel the right one must come before the 25th wrong one, and a password that was just changed opens nothing.
 * The code is marked as used in the same statement. Returns the session's token, or null.
 */
const admit = (
  identity: Identity,
  account: Account,
  { step, mode, count }: { step: number | null; mode: Mode; count: FailureCount },
): Promise<string | null> =>
  inTransaction(identity.db, async (tx) => {
    const admitted = await tx
      .updateTable('users')
      .set({
        // At a known address the count of the others stays: strangers would get 25 more guesses after each sign-in.
        failed_logins: count.known ? sql`failed_logins` : 0,
        locked_until: count.known ? sql`locked_until` : null,
        last_otp_step: step ?? sql`last_otp_step`,
      })
      .where('id', '=', account.id)
      .where('status', '=', 'active')
      .where('password_hash', '=', account.password_hash)
      .where('tfa_secret', account.tfa_secret === null ? 'is' : '=', account.tfa_secret)
      .$if(!count.known, (query) => query.where(notLocked))
      .$if(step !== null, (query) => query.where(isUnusedStep(step as number)))
      .returning('id')
      .executeTakeFirst()
    if (!admitted) return null
    // Thrown, so that the code stays unused.
    if (!(await rememberAddress(tx, count))) throw invalidCredentials()
    const kind = kindOf(mode)
    return openSession(tx, account.id, kind, secondsOf(kind, identity))
  })

/** A code that was used before is a wrong code. */
async function refusalOf(db: IdentityDb, step: number | null, count: FailureCount): Promise<StoreError> {
  if (step === null) return invalidCredentials()
  return (await recordFailure(db, count)) ? invalidOtp() : invalidCredentials()
}
