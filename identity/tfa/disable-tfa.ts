import { z } from 'zod'
import { isUuid } from '../../platform/ids.ts'
import { isLocked, recordFailure } from '../auth/attempts.ts'
import { failureCountOf } from '../auth/known-addresses.ts'
import { type Caller, requireAdmin, requirePerson } from '../caller.ts'
import type { Identity } from '../context.ts'
import { forbidden, invalidPayload } from '../errors.ts'
import { parseBody } from '../parse.ts'
import { isUnusedStep, stepOfOtp } from './totp.ts'

const bodySchema = z.object({ otp: z.string().min(1).max(32) })

export async function disableMyTfa(
  identity: Identity,
  caller: Caller | null,
  body: unknown,
  clientAddress: string,
): Promise<void> {
  const me = requirePerson(caller)
  const { otp } = parseBody(bodySchema, body)
  const user = await identity.db
    .selectFrom('users')
    .select('tfa_secret')
    .where('id', '=', me.id)
    .executeTakeFirst()
  if (!user?.tfa_secret) throw invalidPayload('TFA is not enabled for this user')
  const count = await failureCountOf(identity, me.id, clientAddress)
  const step = stepOfOtp(identity, me.id, user.tfa_secret, otp)
  const removed =
    step !== null &&
    !(await isLocked(identity.db, count)) &&
    (await removeByCode(identity, me.id, user.tfa_secret, step))
  if (removed) return
  // A stolen session must not allow guessing codes.
  await recordFailure(identity.db, count)
  throw invalidPayload('"otp" is invalid')
}

/** For a lost authenticator: an administrator lets the user in again. */
export async function disableTfaOf(identity: Identity, caller: Caller | null, id: string): Promise<void> {
  requireAdmin(caller)
  if (!isUuid(id) || !(await removeTfa(identity, id))) throw forbidden()
}

async function removeByCode(
  { db }: Identity,
  userId: string,
  sealed: string,
  step: number,
): Promise<boolean> {
  const removed = await db
    .updateTable('users')
    .set({ tfa_secret: null, last_otp_step: step })
    .where('id', '=', userId)
    .where('tfa_secret', '=', sealed)
    .where(isUnusedStep(step))
    .returning('id')
    .executeTakeFirst()
  return removed !== undefined
}

async function removeTfa({ db }: Identity, userId: string): Promise<boolean> {
  const changed = await db
    .updateTable('users')
    .set({ tfa_secret: null })
    .where('id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}
