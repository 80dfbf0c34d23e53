import { z } from 'zod'
import { isLocked, recordFailure } from '../auth/attempts.ts'
import { failureCountOf } from '../auth/known-addresses.ts'
import { type Caller, requirePerson } from '../caller.ts'
import type { Identity } from '../context.ts'
import { invalidCredentials, invalidPayload } from '../errors.ts'
import { parseBody } from '../parse.ts'
import { PASSWORD_MAX } from '../users/user-schema.ts'
import { newTfaSecret, otpauthUrl } from './totp.ts'

const bodySchema = z.object({ password: z.string().min(1).max(PASSWORD_MAX) })

/** Creates a secret for the user's authenticator. It takes effect with `enable`, which proves that the authenticator has it. */
export async function generateTfa(
  identity: Identity,
  caller: Caller | null,
  body: unknown,
  clientAddress: string,
) {
  const me = requirePerson(caller)
  const { password } = parseBody(bodySchema, body)
  const user = await identity.db
    .selectFrom('users')
    .select(['email', 'password_hash', 'tfa_secret'])
    .where('id', '=', me.id)
    .executeTakeFirst()
  identity.hashLimits.ownPassword(me.id)
  const count = await failureCountOf(identity, me.id, clientAddress)
  const holds = await identity.passwords.verify(user?.password_hash ?? null, password)
  // A stolen session must not allow guessing the password.
  if (!holds) await recordFailure(identity.db, count)
  if (!holds || (await isLocked(identity.db, count))) throw invalidCredentials()
  if (user?.tfa_secret) throw invalidPayload('TFA Secret is already set for this user')
  const secret = newTfaSecret()
  return { secret, otpauth_url: otpauthUrl(secret, user?.email ?? null) }
}
