import type { z } from 'zod'
import { Problem } from '../../api/problems.ts'
import type { ChangeContext } from '../../api/route-spec.ts'
import { audit, type OrganisationTarget } from '../../auth/index.ts'
import { type Organisation, type OrganisationPatch, toOrganisation } from './schema.ts'

export async function updateOrganisation(
  context: ChangeContext<OrganisationTarget>,
  { name }: z.output<typeof OrganisationPatch>,
): Promise<z.output<typeof Organisation>> {
  const { target, tx } = context
  const row = await tx
    .selectFrom('organisations')
    .selectAll()
    .where('id', '=', target.id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new Problem('not_found')
  context.requireUnchanged(toOrganisation(row))
  if (name === undefined || name === row.name) return toOrganisation(row)

  await tx.updateTable('organisations').set({ name }).where('id', '=', row.id).execute()
  await audit(tx, context, {
    action: 'organisation.updated',
    organisationId: row.id,
    target: { kind: 'organisation', id: row.id },
    details: { fields: ['name'] },
  })
  return toOrganisation({ ...row, name })
}
