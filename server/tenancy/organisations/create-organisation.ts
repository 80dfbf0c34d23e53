import type { z } from 'zod'
import type { Tx } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { type Answer, created } from '../../api/response.ts'
import { audit, type Context, type Guarded } from '../../auth/index.ts'
import type { Limits } from '../limits.ts'
import { lockUser, tierOfUser } from '../tier-of.ts'
import { type NewOrganisation, toOrganisation } from './schema.ts'

/** The user who creates an organisation becomes its owner. */
export async function createOrganisation(
  context: Context<Guarded, z.output<typeof NewOrganisation>>,
  tx: Tx,
  limits: Limits,
): Promise<Answer> {
  const { principal, body } = context
  // Staff create organisations for customers, so their number says nothing.
  if (!principal.staff) await checkLimit(tx, principal.userId, limits)
  const row = await tx
    .insertInto('organisations')
    .values({ id: newId(), name: body.name, created_by: principal.userId })
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
  return created(toOrganisation(row), `/api/v2/organisations/${row.id}`)
}

async function checkLimit(tx: Tx, userId: string, limits: Limits): Promise<void> {
  await lockUser(tx, userId)
  const { count } = await tx
    .selectFrom('organisations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('created_by', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  limits.check('organisations', { kind: 'user', tier: await tierOfUser(tx, userId) }, count)
}
