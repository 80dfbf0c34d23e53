import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../../database/database.ts'
import { isUuid } from '../../../platform/ids.ts'
import { cursorKey, type Page, type PageQuery, toPage } from '../../api/pagination.ts'
import { organisationCapabilities, type Role, type Tier, workspaceCapabilities } from '../../auth/index.ts'
import type { MyInvitation, MyOrganisation, MyWorkspace } from './schema.ts'

/** No record has the smallest of all ids, so the first page starts after it. */
const NIL = '00000000-0000-0000-0000-000000000000'
const afterOf = (query: PageQuery): string => cursorKey(query, isUuid) ?? NIL
const idOf = ({ id }: { id: string }): string => id

/** Organisations in which the user holds a role, oldest first. */
export async function organisationsOf(
  db: Db,
  userId: string,
  query: PageQuery,
): Promise<Page<z.output<typeof MyOrganisation>>> {
  const rows = await db
    .selectFrom('organisation_members as m')
    .innerJoin('organisations as o', 'o.id', 'm.organisation_id')
    .select(['o.id', 'o.name', 'm.role'])
    .where('m.user_id', '=', userId)
    .where('o.deleted_at', 'is', null)
    .where('o.id', '>', afterOf(query))
    .orderBy('o.id')
    .limit(query.limit + 1)
    .execute()
  const records = rows.map((row) => {
    const role = row.role as Role
    return { ...row, role, capabilities: organisationCapabilities(role) }
  })
  return toPage(records, query.limit, idOf)
}

/** Workspaces in which the user holds a role, oldest first. */
export async function workspacesOf(
  db: Db,
  userId: string,
  query: PageQuery,
): Promise<Page<z.output<typeof MyWorkspace>>> {
  const rows = await db
    .selectFrom('workspace_members as m')
    .innerJoin('workspaces as w', 'w.id', 'm.workspace_id')
    .select(['w.id', 'w.name', 'w.organisation_id', 'm.role', 'w.tier'])
    .where('m.user_id', '=', userId)
    .where('w.deleted_at', 'is', null)
    .where('w.id', '>', afterOf(query))
    .orderBy('w.id')
    .limit(query.limit + 1)
    .execute()
  const records = rows.map((row) => {
    const role = row.role as Role
    return { ...row, role, tier: row.tier as Tier, capabilities: workspaceCapabilities(role) }
  })
  return toPage(records, query.limit, idOf)
}

/** Invitations to an e-mail address that can be accepted, oldest first. */
export async function invitationsOf(
  db: Db,
  email: string | null,
  query: PageQuery,
): Promise<Page<z.output<typeof MyInvitation>>> {
  const after = afterOf(query)
  if (email === null) return { data: [], next_cursor: null }
  const rows = await db
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
    .where('i.email', '=', email.trim().toLowerCase())
    .where('i.state', '=', 'pending')
    .where('i.expires_at', '>', sql<string>`now()`)
    .where('i.id', '>', after)
    .orderBy('i.id')
    .limit(query.limit + 1)
    .execute()
  return toPage(
    rows.map((row) => ({ ...row, role: row.role as Role })),
    query.limit,
    idOf,
  )
}
