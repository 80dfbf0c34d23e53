import type { Router } from '../access/index.ts'
import { found } from '../kernel/answer.ts'
import { pageOf, pageQuery } from '../kernel/page.ts'
import { AuditEntry, Organisation, pageOfAudit, Workspace } from '../tenancy/index.ts'
import { listAllOrganisations } from './list-organisations.ts'
import { listAllWorkspaces, workspaceQuery } from './list-workspaces.ts'
import { readServiceUsage, ServiceUsage } from './read-usage.ts'
import { requireWorkspace } from './require-workspace.ts'
import { TierChange, Transfer } from './schema.ts'
import { setTier } from './set-tier.ts'
import { transferWorkspace } from './transfer-workspace.ts'

const tag = 'Staff'
const access = { kind: 'staff' } as const

/** What only staff may do, under /api/v2/admin. */
export function registerStaff(router: Router): void {
  router.read({
    id: 'listAllOrganisations',
    summary: 'All organisations, newest first',
    tag,
    url: '/api/v2/admin/organisations',
    access,
    query: pageQuery,
    answers: { 200: pageOf(Organisation) },
    read: listAllOrganisations,
  })
  router.read({
    id: 'listAllWorkspaces',
    summary: 'All workspaces, newest first',
    tag,
    url: '/api/v2/admin/workspaces',
    access,
    query: workspaceQuery,
    answers: { 200: pageOf(Workspace) },
    read: listAllWorkspaces,
  })
  router.change({
    id: 'setTier',
    summary: 'Set the tier of a workspace',
    tag,
    method: 'PUT',
    url: '/api/v2/admin/workspaces/:wid/tier',
    access,
    body: TierChange,
    answers: { 200: Workspace },
    problems: ['not_found'],
    find: ({ db, params }) => requireWorkspace(db, params['wid']),
    change: setTier,
  })
  router.change({
    id: 'transferWorkspace',
    summary: 'Move a workspace to another organisation',
    tag,
    method: 'POST',
    url: '/api/v2/admin/workspaces/:wid/transfer',
    access,
    body: Transfer,
    answers: { 200: Workspace },
    problems: ['not_found'],
    find: ({ db, params }) => requireWorkspace(db, params['wid']),
    change: transferWorkspace,
  })
  router.read({
    id: 'listAudit',
    summary: 'Who did what in the whole service, newest first',
    tag,
    url: '/api/v2/admin/audit',
    access,
    query: pageQuery,
    answers: { 200: pageOf(AuditEntry) },
    read: async ({ db, query }) => found(await pageOfAudit(db, query, (rows) => rows)),
  })
  router.read({
    id: 'readServiceUsage',
    summary: 'What the whole service holds',
    tag,
    url: '/api/v2/admin/usage',
    access,
    answers: { 200: ServiceUsage },
    read: readServiceUsage,
  })
}
