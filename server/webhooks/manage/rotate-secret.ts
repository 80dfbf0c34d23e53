import { sql } from 'kysely'
import type { z } from 'zod'
import type { Tx } from '../../../database/database.ts'
import { newSecret, sealSecret, strengthOf } from '../../../delivery/index.ts'
import type { Keyring } from '../../../platform/encryption.ts'
import { type HttpResponse as Answer, found } from '../../api/response.ts'
import type { RouteContext as Context } from '../../api/route-spec.ts'
import { audit } from '../../auth/index.ts'
import { tenantIdsOf as placeOf } from '../../tenancy/index.ts'
import type { WebhookAccess } from '../access.ts'
import { Rotation } from './schema.ts'
import { lockWebhook } from './update-webhook.ts'

/** The new secret signs at once; the old one signs beside it until the overlap is over. */
export async function rotateSecret(
  context: Context<WebhookAccess, z.output<typeof Rotation>>,
  tx: Tx,
  keyring: Keyring,
): Promise<Answer> {
  const row = await lockWebhook(tx, context.params['id'] as string)
  const { secret: given, overlap_seconds } = context.body ?? DEFAULTS
  const secret = given ?? newSecret()
  const previous = overlap_seconds > 0 ? row.secret : null
  const { previous_valid_until } = await tx
    .updateTable('webhooks')
    .set({
      secret: sealSecret(keyring, row, secret),
      secret_version: row.secret_version + 1,
      secret_strength: strengthOf(secret),
      previous_secret: previous,
      previous_valid_until:
        previous === null ? null : sql<string>`now() + make_interval(secs => ${overlap_seconds})`,
      updated_at: sql`now()`,
    })
    .where('id', '=', row.id)
    .returning('previous_valid_until')
    .executeTakeFirstOrThrow()
  await audit(tx, context, {
    action: 'webhook.secret_rotated',
    ...(await placeOf(tx, context.target)),
    target: { kind: 'webhook', id: row.id },
    details: { overlap_seconds, made_here: given === undefined },
  })
  return found({ ...(given === undefined ? { secret } : {}), previous_valid_until })
}

const DEFAULTS = Rotation.parse({}) as NonNullable<z.output<typeof Rotation>>
