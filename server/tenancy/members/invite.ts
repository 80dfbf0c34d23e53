import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db, Tx } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { audit, type Role } from '../../auth/index.ts'
import type { MemberChange } from './rules.ts'
import type { Invitation } from './schema.ts'
import { limitOwner, type Scope, type ScopeId } from './scope.ts'

const VALID_DAYS = 30

/** A second invitation of the same address replaces the role and the expiry of the first. */
export async function invite({ scope, context, limits }: MemberChange, email: string, role: Role) {
  const { tx } = context
  limits.check('invitations', await limitOwner(tx, scope), await countOthers(tx, scope, email))
  const workspaceId = scope.kind === 'workspace' ? scope.id : null
  const { rows } = await sql<z.output<typeof Invitation>>`
    insert into invitations (id, organisation_id, workspace_id, email, role, invited_by, expires_at)
    values (${newId()}, ${scope.organisationId}, ${workspaceId}, ${email}, ${role}, ${context.principal.userId},
      now() + make_interval(days => ${VALID_DAYS}))
    on conflict (organisation_id, workspace_id, email) where state = 'pending'
      do update set role = excluded.role, invited_by = excluded.invited_by, expires_at = excluded.expires_at
    returning id, organisation_id, workspace_id, email, role, invited_by, created_at, expires_at`.execute(tx)
  const invitation = rows[0] as z.output<typeof Invitation>
  await audit(tx, context, {
    action: `${scope.kind}.member.invited`,
    organisationId: scope.organisationId,
    workspaceId,
    target: { kind: 'invitation', id: invitation.id },
    details: { role },
  })
  return invitation
}

/** Pending invitations of other addresses. */
async function countOthers(tx: Tx, { kind, id }: ScopeId, email: string): Promise<number> {
  const { count } = await tx
    .selectFrom('invitations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(`${kind}_id`, '=', id)
    .$if(kind === 'organisation', (rows) => rows.where('workspace_id', 'is', null))
    .where('email', '<>', email)
    .where('state', '=', 'pending')
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirstOrThrow()
  return count
}

/** Invitations that can still be accepted. Those of an organisation include those to its workspaces. */
export function pendingInvitations(db: Db | Tx, { kind, id, organisationId }: Scope) {
  return db
    .selectFrom('invitations')
    .select([
      'id',
      'organisation_id',
      'workspace_id',
      'email',
      'role',
      'invited_by',
      'created_at',
      'expires_at',
    ])
    .$narrowType<{ role: Role }>()
    .where('organisation_id', '=', organisationId)
    .$if(kind === 'workspace', (invitations) => invitations.where('workspace_id', '=', id))
    .where('state', '=', 'pending')
    .where('expires_at', '>', sql<string>`now()`)
}

/** Deletes all pending invitations to a scope, or those of a user who loses a role and could otherwise still add members. */
export async function withdrawInvitations(tx: Tx, { kind, id }: ScopeId, invitedBy?: string): Promise<void> {
  await tx
    .deleteFrom('invitations')
    .where(`${kind}_id`, '=', id)
    .where('state', '=', 'pending')
    .$if(invitedBy !== undefined, (invitations) => invitations.where('invited_by', '=', invitedBy as string))
    .execute()
}
