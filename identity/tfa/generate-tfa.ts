import { z } from 'zod'
import { isLocked, recordFailure } from '../auth/attempts.ts'
import { type Caller, requirePerson } from '../caller.ts'
import type { Identity } from '../context.ts'
import { invalidCredentials, invalidPayload } from '../errors.ts'
import { parseBody } from '../parse.ts'
import { PASSWORD_MAX } from '../users/user-schema.ts'
import { newTfaSecret, otpauthUrl } from './totp.ts'

const bodySchema = z.object({ password: z.string().min(1).max(PASSWORD_MAX) })

/** Makes a secret for the user's authenticator; it counts only once `enable` proves that the authenticator has it. */
export async function generateTfa(identity: Identity, caller: Caller | null, body: unknown) {
  const me = requirePerson(caller)
  const { password } = parseBody(bodySchema, body)
  const user = await identity.db
    .selectFrom('users')
    .select(['email', 'password_hash', 'tfa_secret'])
    .where('id', '=', me.id)
    .executeTakeFirst()
  await requirePassword(identity, me.id, user?.password_hash ?? null, password)
  if (user?.tfa_secret) throw invalidPayload('TFA Secret is already set for this user')
  const secret = newTfaSecret()
  return { secret, otpauth_url: otpauthUrl(secret, user?.email ?? null) }
}

/** A stolen session must not become a place to guess the password. */
async function requirePassword(
  identity: Identity,
  userId: string,
  stored: string | null,
  password: string,
): Promise<void> {
  identity.hashLimits.ownPassword(userId)
  const holds = await identity.passwords.verify(stored, password)
  if (!holds) await recordFailure(identity.db, userId)
  if (!holds || (await isLocked(identity.db, userId))) throw invalidCredentials()
}
