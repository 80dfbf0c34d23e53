import { z } from 'zod'
import { type Caller, requirePerson } from '../caller.ts'
import type { Identity } from '../context.ts'
import { invalidPayload } from '../errors.ts'
import { parseBody } from '../parse.ts'
import { isTfaSecret, sealTfaSecret, stepOfCode } from './totp.ts'

const bodySchema = z.object({
  secret: z.string().refine(isTfaSecret, 'must be a base32 secret'),
  otp: z.string().min(1).max(32),
})

export async function enableTfa(identity: Identity, caller: Caller | null, body: unknown): Promise<void> {
  const me = requirePerson(caller)
  const { secret, otp } = parseBody(bodySchema, body)
  const step = stepOfCode(secret, otp, identity.clock.now())
  if (step === null) throw invalidPayload('"otp" is invalid')
  const enabled = await identity.db
    .updateTable('users')
    // The code counts as used. The last step belongs to an earlier authenticator, so it is not compared.
    .set({ tfa_secret: sealTfaSecret(identity, me.id, secret), last_otp_step: step })
    .where('id', '=', me.id)
    .where('tfa_secret', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!enabled) throw invalidPayload('TFA Secret is already set for this user')
}
