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
  if (step !== null && !(await isLocked(identity.db, count))) {
    const removal = removeTfa(identity, me.id).set({ last_otp_step: step })
    const unused = removal.where('tfa_secret', '=', user.tfa_secret).where(isUnusedStep(step))
    if (await unused.executeTakeFirst()) return
  }
  // A stolen session must not allow guessing codes.
  await recordFailure(identity.db, count)
  throw invalidPayload('"otp" is invalid')
}

/** For a lost authenticator: an administrator lets the user in again. */
export async function disableTfaOf(identity: Identity, caller: Caller | null, id: string): Promise<void> {
  requireAdmin(caller)
  if (!isUuid(id) || !(await removeTfa(identity, id).executeTakeFirst())) throw forbidden()
}

const removeTfa = ({ db }: Identity, userId: string) =>
  db.updateTable('users').set({ tfa_secret: null }).where('id', '=', userId).returning('id')
