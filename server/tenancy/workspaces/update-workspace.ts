import type { Selectable } from 'kysely'
import type { z } from 'zod'
import type { Tx } from '../../../database/database.ts'
import type { Tables } from '../../../database/tables.ts'
import { Problem } from '../../api/problems.ts'
import { type Answer, ok, requireMatch } from '../../api/response.ts'
import { audit, type Context } from '../../auth/index.ts'
import { toWorkspace, type WorkspacePatch } from './schema.ts'

type Manage = { kind: 'workspace'; capability: 'workspace:manage' }

export async function updateWorkspace(
  context: Context<Manage, z.output<typeof WorkspacePatch>>,
  tx: Tx,
): Promise<Answer> {
  const { target, body, ifMatch } = context
  const row = await lockWorkspace(tx, target.id)
  requireMatch(ifMatch, toWorkspace(row))
  if (body.name === undefined || body.name === row.name) return ok(toWorkspace(row))

  await tx.updateTable('workspaces').set({ name: body.name }).where('id', '=', row.id).execute()
  const place = { organisationId: row.organisation_id, workspaceId: row.id }
  const deed = { target: { kind: 'workspace', id: row.id }, details: { fields: ['name'] } }
  await audit(tx, context, { action: 'workspace.updated', ...place, ...deed })
  return ok(toWorkspace({ ...row, name: body.name }))
}

export async function lockWorkspace(tx: Tx, id: string): Promise<Selectable<Tables['workspaces']>> {
  const row = await tx
    .selectFrom('workspaces')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new Problem('not_found')
  return row
}
