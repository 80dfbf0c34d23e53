import type { z } from 'zod'
import type { ChangeContext } from '../../api/route-spec.ts'
import { audit, type OrganisationTarget } from '../../auth/index.ts'
import { lockRecord } from '../records.ts'
import { type Organisation, type OrganisationPatch, toOrganisation } from './schema.ts'

export async function updateOrganisation(
  context: ChangeContext<OrganisationTarget>,
  { name }: z.output<typeof OrganisationPatch>,
): Promise<z.output<typeof Organisation>> {
  const { target, tx } = context
  const row = await lockRecord(tx, 'organisations', target.id)
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
