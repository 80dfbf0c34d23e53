import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../../database/database.ts'
import { type Page, type PageQuery, pageById } from '../../api/pagination.ts'
import { organisationCapabilities, type Role, type Tier, workspaceCapabilities } from '../../auth/index.ts'
import type { MyInvitation, MyOrganisation, MyWorkspace } from './schema.ts'

type PageOf<S extends z.ZodType> = Promise<Page<z.output<S>>>

/** Organisations in which the user holds a role, oldest first. */
export function organisationsOf(db: Db, userId: string, query: PageQuery): PageOf<typeof MyOrganisation> {
  const rows = db
    .selectFrom('organisation_members as m')
    .innerJoin('organisations as o', 'o.id', 'm.organisation_id')
    .select(['o.id', 'o.name', 'm.role'])
    .$narrowType<{ role: Role }>()
    .where('m.user_id', '=', userId)
    .where('o.deleted_at', 'is', null)
  return pageById(rows, query, 'o.id', 'asc', (row) => ({
    ...row,
    capabilities: organisationCapabilities(row.role),
  }))
}

/** Workspaces in which the user holds a role, oldest first. */
export function workspacesOf(db: Db, userId: string, query: PageQuery): PageOf<typeof MyWorkspace> {
  const rows = db
    .selectFrom('workspace_members as m')
    .innerJoin('workspaces as w', 'w.id', 'm.workspace_id')
    .select(['w.id', 'w.name', 'w.organisation_id', 'm.role', 'w.tier'])
    .$narrowType<{ role: Role; tier: Tier }>()
    .where('m.user_id', '=', userId)
    .where('w.deleted_at', 'is', null)
  return pageById(rows, query, 'w.id', 'asc', (row) => ({
    ...row,
    capabilities: workspaceCapabilities(row.role),
  }))
}

/** Invitations to an e-mail address that can be accepted, oldest first. Without an address there are none. */
export function invitationsOf(db: Db, email: string | null, query: PageQuery): PageOf<typeof MyInvitation> {
  const rows = db
    .selectFrom('invitations as i')
    .innerJoin('organisations as o', 'o.id', 'i.organisation_id')
    .leftJoin('workspaces as w', 'w.id', 'i.workspace_id')
    .select(['i.id', 'i.organisation_id', 'i.workspace_id', 'i.role', 'i.invited_by', 'i.expires_at'])
    .select(['o.name as organisation_name', 'w.name as workspace_name'])
    .$narrowType<{ role: Role }>()
    .where('i.email', '=', email?.trim().toLowerCase() ?? null)
    .where('i.state', '=', 'pending')
    .where('i.expires_at', '>', sql<string>`now()`)
  return pageById(rows, query, 'i.id', 'asc', (row) => row)
}
