import { sql } from 'kysely'
import type { Db, Tx } from '../../../database/database.ts'
import { Problem } from '../../api/problems.ts'
import type { EffectiveRoles, Principal, Role, Tier } from '../../auth/index.ts'
import type { Limits } from '../limits.ts'
import { lockRecord } from '../records.ts'
import { lockTierOfWorkspace, tierOfOrganisation } from '../tier-of.ts'
import type { MemberRow } from './schema.ts'

/** An organisation or a workspace, in which users have roles. Both follow the same rules, each with its own table. */
export interface Scope {
  kind: 'organisation' | 'workspace'
  id: string
  organisationId: string
}

export type ScopeId = Pick<Scope, 'kind' | 'id'>

const tableOf = ({ kind }: ScopeId) => sql.table(`${kind}_members`)
const columnOf = ({ kind }: ScopeId) => sql.ref(`${kind}_id`)

/**
 * Serialises changes of members: without the lock two owners could demote each other at the same time and leave none. The
 * organisation of a workspace is locked too, because its roles count there.
 */
export async function lockScope(tx: Tx, scope: Scope): Promise<void> {
  const { kind, id, organisationId } = scope
  await lockRecord(tx, 'organisations', organisationId, kind === 'organisation' ? 'update' : 'share')
  if (kind === 'organisation') return
  const workspace = await lockRecord(tx, 'workspaces', id)
  if (workspace.organisation_id !== organisationId) throw new Problem('not_found')
}

/** The caller's roles now, under the lock: they can have changed since the access check of the route. */
export async function rolesIn(
  tx: Tx,
  scope: Scope,
  { userId, staff }: Pick<Principal, 'userId' | 'staff'>,
  memberId: string | null,
): Promise<EffectiveRoles> {
  return {
    staff,
    organisationRole: await roleIn(tx, { kind: 'organisation', id: scope.organisationId }, userId),
    workspaceRole: scope.kind === 'workspace' ? await roleIn(tx, scope, userId) : null,
    tier: null,
    self: memberId === userId,
  }
}

const roleIn = async (tx: Tx, scope: ScopeId, userId: string): Promise<Role | null> =>
  (await memberIn(tx, scope, userId))?.role ?? null

export async function memberIn(db: Db | Tx, scope: ScopeId, userId: string): Promise<MemberRow | undefined> {
  // PostgreSQL stores no NUL, so no user has such an id.
  if (userId.includes('\0')) return undefined
  const { rows } = await sql<MemberRow>`select user_id, role, created_at from ${tableOf(scope)}
    where ${columnOf(scope)} = ${scope.id} and user_id = ${userId}`.execute(db)
  return rows[0]
}

export async function membersAfter(
  db: Db,
  scope: Scope,
  { after, role, limit }: { after: string | null; role: Role | undefined; limit: number },
): Promise<MemberRow[]> {
  const narrowed = role === undefined ? sql`` : sql`and role = ${role}`
  const { rows } = await sql<MemberRow>`select user_id, role, created_at from ${tableOf(scope)}
    where ${columnOf(scope)} = ${scope.id} and (${after}::text is null or user_id > ${after}) ${narrowed}
    order by user_id limit ${limit}`.execute(db)
  return rows
}

export async function ownersIn(db: Db | Tx, scope: Scope): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`select user_id from ${tableOf(scope)}
    where ${columnOf(scope)} = ${scope.id} and role = 'owner'`.execute(db)
  return rows.map((row) => row.user_id)
}

/** Returns undefined when the user is already a member. Needs the lock, because it counts the members. */
export async function addMember(
  tx: Tx,
  scope: Scope,
  { userId, role, limits }: { userId: string; role: Role; limits: Limits },
): Promise<MemberRow | undefined> {
  const { rows } = await sql<MemberRow>`insert into ${tableOf(scope)} (${columnOf(scope)}, user_id, role)
    values (${scope.id}, ${userId}, ${role}) on conflict do nothing returning user_id, role, created_at`.execute(
    tx,
  )
  if (rows[0]) limits.check('members', await limitOwner(tx, scope), (await countMembers(tx, scope)) - 1)
  return rows[0]
}

async function countMembers(tx: Tx, scope: Scope): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from ${tableOf(scope)}
    where ${columnOf(scope)} = ${scope.id}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** The owner of the limits that apply. Needs the lock. */
export async function limitOwner(tx: Tx, { kind, id }: Scope): Promise<{ kind: Scope['kind']; tier: Tier }> {
  const tier = await (kind === 'organisation' ? tierOfOrganisation(tx, id) : lockTierOfWorkspace(tx, id))
  return { kind, tier }
}

export async function setRole(tx: Tx, scope: Scope, userId: string, role: Role): Promise<void> {
  await sql`update ${tableOf(scope)} set role = ${role}
    where ${columnOf(scope)} = ${scope.id} and user_id = ${userId}`.execute(tx)
}

export async function removeMember(tx: Tx, scope: Scope, userId: string): Promise<void> {
  await sql`delete from ${tableOf(scope)} where ${columnOf(scope)} = ${scope.id} and user_id = ${userId}`.execute(
    tx,
  )
}
