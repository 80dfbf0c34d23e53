import type { z } from 'zod'
import type { Tx } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { ChangeContext } from '../../api/route-spec.ts'
import { audit } from '../../auth/index.ts'
import type { Limits } from '../limits.ts'
import { countRecords } from '../records.ts'
import { lockUser, tierOfUser } from '../tier-of.ts'
import { type NewOrganisation, type Organisation, toOrganisation } from './schema.ts'

/** The user who creates an organisation becomes its owner. */
export async function createOrganisation(
  context: ChangeContext,
  { name }: z.output<typeof NewOrganisation>,
  limits: Limits,
): Promise<z.output<typeof Organisation>> {
  const { principal, tx } = context
  // Staff create organisations for customers, so the limit does not apply to them.
  if (!principal.staff) await checkLimit(tx, principal.userId, limits)
  const row = await tx
    .insertInto('organisations')
    .values({ id: newId(), name, created_by: principal.userId })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('organisation_members')
    .values({ organisation_id: row.id, user_id: principal.userId, role: 'owner' })
    .execute()
  await audit(tx, context, {
    action: 'organisation.created',
    organisationId: row.id,
    target: { kind: 'organisation', id: row.id },
  })
  return toOrganisation(row)
}

async function checkLimit(tx: Tx, userId: string, limits: Limits): Promise<void> {
  await lockUser(tx, userId)
  const count = await countRecords(tx, 'organisations', 'created_by', userId)
  limits.check('organisations', { kind: 'user', tier: await tierOfUser(tx, userId) }, count)
}
