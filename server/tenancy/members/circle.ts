import { sql } from 'kysely'
import type { Db, Tx } from '../../../database/database.ts'
import { Problem } from '../../api/problems.ts'
import type { Principal, Role, Standing, Tier } from '../../auth/index.ts'
import type { Limits } from '../limits.ts'
import { lockTierOfWorkspace, tierOfOrganisation } from '../tier-of.ts'
import type { MemberRow } from './schema.ts'

/** Where people hold roles: an organisation or a workspace. Both follow the same rules, each with its own table. */
export interface Circle {
  kind: 'organisation' | 'workspace'
  id: string
  organisationId: string
}

const tableOf = ({ kind }: Circle) => sql.table(`${kind}_members`)
const columnOf = ({ kind }: Circle) => sql.ref(`${kind}_id`)

/**
 * Locks the circle, so that changes of its members come one after the other: without it two owners could demote each
 * other at the same moment and leave none. A workspace's organisation is held too, since its roles count there.
 */
export async function lockCircle(tx: Tx, circle: Circle): Promise<void> {
  const mode = circle.kind === 'organisation' ? sql`for update` : sql`for share`
  const held = [
    await sql`select 1 from organisations where id = ${circle.organisationId} and deleted_at is null ${mode}`.execute(
      tx,
    ),
    circle.kind === 'workspace' &&
      (await sql`select 1 from workspaces where id = ${circle.id} and organisation_id = ${circle.organisationId}
        and deleted_at is null for update`.execute(tx)),
  ]
  if (held.some((result) => result && result.rows.length === 0)) throw new Problem('not_found')
}

/** The caller's roles as they are now, under the lock: what the route's first check saw may be gone. */
export async function standingIn(
  tx: Tx,
  circle: Circle,
  { userId, staff }: Pick<Principal, 'userId' | 'staff'>,
  memberId: string | null,
): Promise<Standing> {
  const organisation = {
    kind: 'organisation' as const,
    id: circle.organisationId,
    organisationId: circle.organisationId,
  }
  return {
    staff,
    organisationRole: await roleIn(tx, organisation, userId),
    workspaceRole: circle.kind === 'workspace' ? await roleIn(tx, circle, userId) : null,
    tier: null,
    self: memberId === userId,
  }
}

async function roleIn(db: Db | Tx, circle: Circle, userId: string): Promise<Role | null> {
  return (await memberIn(db, circle, userId))?.role ?? null
}

export async function memberIn(db: Db | Tx, circle: Circle, userId: string): Promise<MemberRow | undefined> {
  // PostgreSQL can't hold a NUL, so nobody has such an id.
  if (userId.includes('\0')) return undefined
  const { rows } = await sql<MemberRow>`select user_id, role, created_at from ${tableOf(circle)}
    where ${columnOf(circle)} = ${circle.id} and user_id = ${userId}`.execute(db)
  return rows[0]
}

export async function membersAfter(
  db: Db,
  circle: Circle,
  { after, role, limit }: { after: string | null; role: Role | undefined; limit: number },
): Promise<MemberRow[]> {
  const narrowed = role === undefined ? sql`` : sql`and role = ${role}`
  const { rows } = await sql<MemberRow>`select user_id, role, created_at from ${tableOf(circle)}
    where ${columnOf(circle)} = ${circle.id} and (${after}::text is null or user_id > ${after}) ${narrowed}
    order by user_id limit ${limit}`.execute(db)
  return rows
}

export async function ownersIn(db: Db | Tx, circle: Circle): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`select user_id from ${tableOf(circle)}
    where ${columnOf(circle)} = ${circle.id} and role = 'owner'`.execute(db)
  return rows.map((row) => row.user_id)
}

/** Undefined when they are a member already. Needs the lock, under which the members are counted. */
export async function addMember(
  tx: Tx,
  circle: Circle,
  { userId, role, limits }: { userId: string; role: Role; limits: Limits },
): Promise<MemberRow | undefined> {
  const { rows } = await sql<MemberRow>`insert into ${tableOf(circle)} (${columnOf(circle)}, user_id, role)
    values (${circle.id}, ${userId}, ${role}) on conflict do nothing returning user_id, role, created_at`.execute(
    tx,
  )
  if (rows[0]) limits.check('members', await limitOwner(tx, circle), (await countMembers(tx, circle)) - 1)
  return rows[0]
}

async function countMembers(tx: Tx, circle: Circle): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from ${tableOf(circle)}
    where ${columnOf(circle)} = ${circle.id}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Whose limits apply, under the lock. */
export async function limitOwner(
  tx: Tx,
  { kind, id }: Circle,
): Promise<{ kind: Circle['kind']; tier: Tier }> {
  return {
    kind,
    tier: await (kind === 'organisation' ? tierOfOrganisation(tx, id) : lockTierOfWorkspace(tx, id)),
  }
}

export async function setRole(tx: Tx, circle: Circle, userId: string, role: Role): Promise<void> {
  await sql`update ${tableOf(circle)} set role = ${role}
    where ${columnOf(circle)} = ${circle.id} and user_id = ${userId}`.execute(tx)
}

export async function removeMember(tx: Tx, circle: Circle, userId: string): Promise<void> {
  await sql`delete from ${tableOf(circle)} where ${columnOf(circle)} = ${circle.id} and user_id = ${userId}`.execute(
    tx,
  )
}
