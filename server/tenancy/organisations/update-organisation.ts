import type { z } from 'zod'
import type { Tx } from '../../../database/database.ts'
import { Problem } from '../../api/problems.ts'
import { type Answer, ok, requireMatch } from '../../api/response.ts'
import { audit, type Context } from '../../auth/index.ts'
import { type OrganisationPatch, toOrganisation } from './schema.ts'

type Manage = { kind: 'organisation'; capability: 'organisation:manage' }

export async function updateOrganisation(
  context: Context<Manage, z.output<typeof OrganisationPatch>>,
  tx: Tx,
): Promise<Answer> {
  const { target, body, ifMatch } = context
  const row = await tx
    .selectFrom('organisations')
    .selectAll()
    .where('id', '=', target.id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new Problem('not_found')
  requireMatch(ifMatch, toOrganisation(row))
  if (body.name === undefined || body.name === row.name) return ok(toOrganisation(row))

  await tx.updateTable('organisations').set({ name: body.name }).where('id', '=', row.id).execute()
  const deed = {
    organisationId: row.id,
    target: { kind: 'organisation', id: row.id },
    details: { fields: ['name'] },
  }
  await audit(tx, context, { action: 'organisation.updated', ...deed })
  return ok(toOrganisation({ ...row, name: body.name }))
}
