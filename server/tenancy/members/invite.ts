import { sql } from 'kysely'
import type { z } from 'zod'
import type { Tx } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { audit, type Role } from '../../auth/index.ts'
import { type Circle, limitOwner } from './circle.ts'
import type { MemberChange } from './member-change.ts'
import type { Invitation } from './schema.ts'

const VALID_DAYS = 30

/** A second invitation of the same person renews the first, with the new role. */
export async function invite(
  tx: Tx,
  { circle, context, limits }: MemberChange,
  email: string,
  role: Role,
): Promise<z.output<typeof Invitation>> {
  limits.check('invitations', await limitOwner(tx, circle), await countOthers(tx, circle, email))
  const workspaceId = circle.kind === 'workspace' ? circle.id : null
  const { rows } = await sql<z.output<typeof Invitation>>`
    insert into invitations (id, organisation_id, workspace_id, email, role, invited_by, expires_at)
    values (${newId()}, ${circle.organisationId}, ${workspaceId}, ${email}, ${role}, ${context.principal.userId},
      now() + make_interval(days => ${VALID_DAYS}))
    on conflict (organisation_id, workspace_id, email) where state = 'pending'
      do update set role = excluded.role, invited_by = excluded.invited_by, expires_at = excluded.expires_at
    returning id, organisation_id, workspace_id, email, role, invited_by, created_at, expires_at`.execute(tx)
  const invitation = rows[0] as z.output<typeof Invitation>
  await audit(tx, context, {
    action: `${circle.kind}.member.invited`,
    organisationId: circle.organisationId,
    workspaceId,
    target: { kind: 'invitation', id: invitation.id },
    details: { role },
  })
  return invitation
}

/** Invitations of other people that can still be accepted. */
async function countOthers(tx: Tx, { kind, id }: Circle, email: string): Promise<number> {
  const { count } = await tx
    .selectFrom('invitations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(kind === 'organisation' ? 'organisation_id' : 'workspace_id', '=', id)
    .$if(kind === 'organisation', (rows) => rows.where('workspace_id', 'is', null))
    .where('email', '<>', email)
    .where('state', '=', 'pending')
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirstOrThrow()
  return count
}

/** Open invitations go with the role that they were made by: otherwise a removed admin could still bring people in. */
export async function withdrawInvitations(tx: Tx, circle: Circle, userId: string): Promise<void> {
  await tx
    .deleteFrom('invitations')
    .where(circle.kind === 'organisation' ? 'organisation_id' : 'workspace_id', '=', circle.id)
    .where('invited_by', '=', userId)
    .where('state', '=', 'pending')
    .execute()
}
