import { sql } from 'kysely'
import { audit, type Context, type Role } from '../../access/index.ts'
import { type Answer, found } from '../../kernel/answer.ts'
import type { Tx } from '../../kernel/database.ts'
import { Problem } from '../../kernel/problems.ts'
import { addMember, type Circle, lockCircle } from '../members/circle.ts'

/** Somebody else's, answered, expired and unknown invitations are alike: not found. */
export async function answerInvitation(
  context: Context<{ kind: 'signed_in' }>,
  tx: Tx,
  email: string | null,
  verb: 'accept' | 'decline',
): Promise<Answer> {
  const { params, principal } = context
  const invitation = await tx
    .selectFrom('invitations')
    .selectAll()
    .where('id', '=', params['id'] as string)
    .where('email', '=', email)
    .where('state', '=', 'pending')
    .where('expires_at', '>', sql<string>`now()`)
    .forUpdate()
    .executeTakeFirst()
  if (!invitation) throw new Problem('not_found')

  const { id, organisation_id, workspace_id, role } = invitation
  const circle: Circle = {
    kind: workspace_id === null ? 'organisation' : 'workspace',
    id: workspace_id ?? organisation_id,
    organisationId: organisation_id,
  }
  if (verb === 'accept') {
    await lockCircle(tx, circle)
    // Whoever is a member already keeps the role they have: an old invitation must not change it.
    await addMember(tx, circle, principal.userId, role as Role)
  }
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
