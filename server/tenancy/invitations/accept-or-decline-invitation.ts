import { type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { Db, Tx } from '../../../database/database.ts'
import type { Tables } from '../../../database/tables.ts'
import { Problem } from '../../api/problems.ts'
import type { ChangeContext } from '../../api/route-spec.ts'
import { audit, type Role } from '../../auth/index.ts'
import type { Limits } from '../limits.ts'
import { addMember, lockScope, type Scope } from '../members/scope.ts'
import type { AnsweredInvitation } from './schema.ts'

type Invitation = Selectable<Tables['invitations']>

/** Invitations of another address, and answered, expired or unknown ones, are all not found. */
export async function findInvitation(db: Db | Tx, id: string, email: string | null, lock = false) {
  const invitation = await db
    .selectFrom('invitations')
    .selectAll()
    .where('id', '=', id)
    .where('email', '=', email)
    .where('state', '=', 'pending')
    .where('expires_at', '>', sql<string>`now()`)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
  if (!invitation) throw new Problem('not_found')
  return invitation
}

export async function answerInvitation(
  context: ChangeContext,
  { id, email, organisation_id, workspace_id, role }: Invitation,
  verb: 'accept' | 'decline',
  limits: Limits,
): Promise<z.output<typeof AnsweredInvitation>> {
  const { tx } = context
  const scope: Scope = {
    kind: workspace_id === null ? 'organisation' : 'workspace',
    id: workspace_id ?? organisation_id,
    organisationId: organisation_id,
  }
  // Changes of members lock the scope before the invitation; the other order would deadlock with them.
  await lockScope(tx, scope)
  await findInvitation(tx, id, email, true)
  // A user who is already a member keeps their role: an old invitation must not change it.
  if (verb === 'accept')
    await addMember(tx, scope, { userId: context.principal.userId, role: role as Role, limits })

  const state = verb === 'accept' ? 'accepted' : 'declined'
  await tx.updateTable('invitations').set({ state }).where('id', '=', id).execute()
  await audit(tx, context, {
    action: `invitation.${state}`,
    organisationId: organisation_id,
    workspaceId: workspace_id,
    target: { kind: 'invitation', id },
    details: { role },
  })
  return { id, organisation_id, workspace_id, role, state }
}
