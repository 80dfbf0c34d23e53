import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../../database/database.ts'
import type { Tables } from '../../../database/tables.ts'
import { Problem } from '../../api/problems.ts'
import { type Answer, found } from '../../api/response.ts'
import { audit, type Context, type Role } from '../../auth/index.ts'
import type { Limits } from '../limits.ts'
import { addMember, type Circle, lockCircle } from '../members/circle.ts'

type Invitation = Selectable<Tables['invitations']>

/** Somebody else's, answered, expired and unknown invitations are alike: not found. */
export async function findInvitation(
  db: Db | Tx,
  id: string,
  email: string | null,
  lock = false,
): Promise<Invitation> {
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
  context: Context<{ kind: 'signed_in' }>,
  tx: Tx,
  { id, email, organisation_id, workspace_id, role }: Invitation,
  verb: 'accept' | 'decline',
  limits: Limits,
): Promise<Answer> {
  const circle: Circle = {
    kind: workspace_id === null ? 'organisation' : 'workspace',
    id: workspace_id ?? organisation_id,
    organisationId: organisation_id,
  }
  // The circle before the invitation, as whoever changes members does: the other order would deadlock with them.
  await lockCircle(tx, circle)
  await findInvitation(tx, id, email, true)
  // Whoever is a member already keeps the role they have: an old invitation must not change it.
  if (verb === 'accept')
    await addMember(tx, circle, { userId: context.principal.userId, role: role as Role, limits })

  const state = verb === 'accept' ? 'accepted' : 'declined'
  await tx.updateTable('invitations').set({ state }).where('id', '=', id).execute()
  await audit(tx, context, {
    action: `invitation.${state}`,
    organisationId: organisation_id,
    workspaceId: workspace_id,
    target: { kind: 'invitation', id },
    details: { role },
  })
  return found({ id, organisation_id, workspace_id, role, state })
}
