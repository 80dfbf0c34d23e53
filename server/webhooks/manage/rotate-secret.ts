import { sql } from 'kysely'
import type { z } from 'zod'
import { secrets } from '../../../delivery/index.ts'
import type { Keyring } from '../../../platform/encryption.ts'
import type { ChangeContext } from '../../api/route-spec.ts'
import type { ProjectTarget } from '../../auth/index.ts'
import { auditChange, lockWebhook } from '../access.ts'
import { type Rotated, Rotation } from './schema.ts'

/** The new secret signs immediately; the old one signs in addition until the overlap ends. */
export async function rotateSecret(
  context: ChangeContext<ProjectTarget>,
  { id, rotation }: { id: string; rotation: z.output<typeof Rotation> },
  keyring: Keyring,
): Promise<z.output<typeof Rotated>> {
  const { tx } = context
  const row = await lockWebhook(tx, id)
  const { secret: given, overlap_seconds } = rotation ?? DEFAULTS
  const secret = given ?? secrets.newSecret()
  const previous = overlap_seconds > 0 ? row.secret : null
  const { previous_valid_until } = await tx
    .updateTable('webhooks')
    .set({
      secret: secrets.sealSecret(keyring, row, secret),
      secret_version: row.secret_version + 1,
      secret_strength: secrets.strengthOf(secret),
      previous_secret: previous,
      previous_valid_until:
        previous === null ? null : sql<string>`now() + make_interval(secs => ${overlap_seconds})`,
      updated_at: sql`now()`,
    })
    .where('id', '=', row.id)
    .returning('previous_valid_until')
    .executeTakeFirstOrThrow()
  const details = { overlap_seconds, made_here: given === undefined }
  await auditChange(context, 'webhook.secret_rotated', { kind: 'webhook', id }, details)
  return { ...(given === undefined ? { secret } : {}), previous_valid_until }
}

const DEFAULTS = Rotation.parse({}) as NonNullable<z.output<typeof Rotation>>
