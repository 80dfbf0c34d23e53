import type { z } from 'zod'
import { audit, type Context, type Guarded } from '../../access/index.ts'
import { type Answer, created } from '../../kernel/answer.ts'
import type { Tx } from '../../kernel/database.ts'
import { newId } from '../../kernel/ids.ts'
import { type NewOrganisation, toOrganisation } from './schema.ts'

/** Whoever creates an organisation becomes its owner. */
export async function createOrganisation(
  context: Context<Guarded, z.output<typeof NewOrganisation>>,
  tx: Tx,
): Promise<Answer> {
  const { principal, body } = context
  const row = await tx
    .insertInto('organisations')
    .values({ id: newId(), name: body.name })
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
