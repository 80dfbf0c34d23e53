import { sql } from 'kysely'
import { z } from 'zod'
import { inTransaction } from '../../database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Caller } from '../caller.ts'
import type { Identity } from '../context.ts'
import { invalidCredentials, invalidOtp, type StoreError } from '../errors.ts'
import type { IdentityDb } from '../tables.ts'
import { isUnusedStep, stepOfOtp } from '../tfa/totp.ts'
import { EMAIL_MAX, PASSWORD_MAX } from '../users/user-schema.ts'
import { activeUsers } from './active-user.ts'
import { type FailureCount, isLocked, notLocked, recordFailure } from './attempts.ts'
import { type Grant, grant, kindOf, type Mode, modeSchema } from './grant.ts'
import { isRecent, rememberAddress } from './known-addresses.ts'
import { openSession, secondsOf } from './sessions.ts'

export const loginSchema = z.object({
  email: z.email().max(EMAIL_MAX),
  password: z.string().min(1).max(PASSWORD_MAX),
  otp: z.string().max(32).optional(),
  mode: modeSchema.default('json'),
})
type Login = z.output<typeof loginSchema>

interface Account extends Caller {
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
    // The same statement for an unknown user, so that the response time reveals nothing.
    await recordFailure(db, count)
    throw invalidCredentials()
  }
  const step = await requireOtp(identity, account, otp, count)
  const token = await completeLogin(identity, account, { step, mode, count })
  if (token === null) throw await loginError(db, step, count)
  return grant(identity, mode, account, token)
}

const findAccount = (db: IdentityDb, email: string, address: Buffer) =>
  activeUsers(db)
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
 * Returns the time step of the code, or null if the user has no second factor. Only the right password reveals that a code is
 * needed, and not while sign-in is locked.
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
 * Checks the lock, the status and the password again in the transaction that creates the session: of parallel guesses, the
 * right one must come before the 25th wrong one, and a password that was just changed must not work. Marks the code as used in
 * the same statement. Returns the token of the session, or null.
 */
const completeLogin = (
  identity: Identity,
  account: Account,
  { step, mode, count }: { step: number | null; mode: Mode; count: FailureCount },
): Promise<string | null> =>
  inTransaction(identity.db, async (tx) => {
    const updated = await tx
      .updateTable('users')
      .set({
        // A sign-in at a known address does not reset the shared counter: attackers would get 25 more guesses each time.
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
    if (!updated) return null
    // Throws to roll back, so that the code stays unused.
    if (!(await rememberAddress(tx, count))) throw invalidCredentials()
    const kind = kindOf(mode)
    return openSession(tx, account.id, kind, secondsOf(kind, identity))
  })

/** A code that was used before counts as wrong. */
async function loginError(db: IdentityDb, step: number | null, count: FailureCount): Promise<StoreError> {
  if (step === null) return invalidCredentials()
  return (await recordFailure(db, count)) ? invalidOtp() : invalidCredentials()
}
