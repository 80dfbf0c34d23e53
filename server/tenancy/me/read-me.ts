import { sql } from 'kysely'
import { z } from 'zod'
import {
  type Context,
  type IdentityStore,
  organisationCapabilities,
  ROLES,
  type Role,
  TIERS,
  type Tier,
  workspaceCapabilities,
} from '../../access/index.ts'
import { type Answer, found } from '../../kernel/answer.ts'
import type { Db } from '../../kernel/database.ts'
import { id, timestamp } from '../../kernel/schema.ts'
import { profilesOf } from '../members/profiles.ts'

const role = z.enum(ROLES)
const capabilities = z.array(z.string())

export const Me = z
  .object({
    user: z.object({ id: z.string(), name: z.string().nullable(), email: z.string().nullable() }),
    staff: z.boolean(),
    organisations: z.array(z.object({ id, name: z.string(), role, capabilities })),
    workspaces: z.array(
      z.object({ id, name: z.string(), organisation_id: id, role, tier: z.enum(TIERS), capabilities }),
    ),
    invitations: z.array(
      z.object({
        id,
        organisation_id: id,
        organisation_name: z.string(),
        workspace_id: id.nullable(),
        workspace_name: z.string().nullable(),
        role,
        invited_by: z.string(),
        expires_at: timestamp,
      }),
    ),
  })
  .meta({ id: 'Me' })

/** Who the caller is, what they belong to, and what they are invited to. Without the store there is no name, address or invitation. */
export async function readMe(
  { db, principal }: Context<{ kind: 'signed_in' }>,
  store: IdentityStore,
): Promise<Answer> {
  const { userId, staff } = principal
  const profile = (await profilesOf(store, principal, [userId])).get(userId)
  const email = profile?.email ?? null
  const [organisations, workspaces, invitations] = await Promise.all([
    organisationsOf(db, userId),
    workspacesOf(db, userId),
    email === null ? [] : invitationsOf(db, email.trim().toLowerCase()),
  ])
  return found({
    user: { id: userId, name: profile?.name ?? null, email },
    staff,
    organisations,
    workspaces,
    invitations,
  })
}

async function organisationsOf(db: Db, userId: string) {
  const rows = await db
    .selectFrom('organisation_members as m')
    .innerJoin('organisations as o', 'o.id', 'm.organisation_id')
    .select(['o.id', 'o.name', 'm.role'])
    .where('m.user_id', '=', userId)
    .where('o.deleted_at', 'is', null)
    .orderBy('o.id')
    .execute()
  return rows.map((row) => ({ ...row, capabilities: organisationCapabilities(row.role as Role) }))
}

async function workspacesOf(db: Db, userId: string) {
  const rows = await db
    .selectFrom('workspace_members as m')
    .innerJoin('workspaces as w', 'w.id', 'm.workspace_id')
    .select(['w.id', 'w.name', 'w.organisation_id', 'm.role', 'w.tier'])
    .where('m.user_id', '=', userId)
    .where('w.deleted_at', 'is', null)
    .orderBy('w.id')
    .execute()
  return rows.map((row) => ({
    ...row,
    tier: row.tier as Tier,
    capabilities: workspaceCapabilities(row.role as Role),
  }))
}

function invitationsOf(db: Db, email: string) {
  return db
    .selectFrom('invitations as i')
    .innerJoin('organisations as o', 'o.id', 'i.organisation_id')
    .leftJoin('workspaces as w', 'w.id', 'i.workspace_id')
    .select([
      'i.id',
      'i.organisation_id',
      'o.name as organisation_name',
      'i.workspace_id',
      'w.name as workspace_name',
    ])
    .select(['i.role', 'i.invited_by', 'i.expires_at'])
    .where('i.email', '=', email)
    .where('i.state', '=', 'pending')
    .where('i.expires_at', '>', sql<string>`now()`)
    .orderBy('i.id')
    .execute()
}
