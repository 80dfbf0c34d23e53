import type { Db } from '../../database/database.ts'
import { isUuid } from '../../platform/ids.ts'
import { pageOf, pageQuery } from '../api/pagination.ts'
import { Problem } from '../api/problems.ts'
import type { Router } from '../api/router.ts'
import type { IdentityStore } from '../auth/index.ts'
import { AuditEntry, auditQuery, Organisation, pageOfAudit, Workspace } from '../tenancy/index.ts'
import { Webhook } from '../webhooks/index.ts'
import { disableByStaff, requireWebhook } from './disable-webhook.ts'
import { Job, jobQuery, listJobs } from './list-jobs.ts'
import { listAllOrganisations } from './list-organisations.ts'
import { listAllWebhooks, webhookQuery } from './list-webhooks.ts'
import { listAllWorkspaces, workspaceQuery } from './list-workspaces.ts'
import { readServiceUsage, ServiceUsage } from './read-usage.ts'
import { findJob, RetriedJob, type RetryParts, retryJob } from './retry-job.ts'
import { Disabling, JobRetry, TierChange, Transfer } from './schema.ts'
import { setTier } from './set-tier.ts'
import { transferWorkspace } from './transfer-workspace.ts'

const staff = { tag: 'Staff', access: { kind: 'staff' } } as const

/** Routes for staff, under /api/v2/admin. */
export function registerStaff(router: Router, parts: RetryParts & { store: IdentityStore }): void {
  router.read({
    id: 'listAllOrganisations',
    summary: 'List all organisations, newest first',
    ...staff,
    url: '/api/v2/admin/organisations',
    query: pageQuery,
    responses: { 200: pageOf(Organisation) },
    read: (context) => listAllOrganisations(context, context.query),
  })
  router.read({
    id: 'listAllWorkspaces',
    summary: 'List all workspaces, newest first',
    ...staff,
    url: '/api/v2/admin/workspaces',
    query: workspaceQuery,
    responses: { 200: pageOf(Workspace) },
    read: (context) => listAllWorkspaces(context, context.query),
  })
  router.change({
    id: 'setWorkspaceTier',
    summary: 'Set the tier of a workspace',
    ...staff,
    method: 'PUT',
    url: '/api/v2/admin/workspaces/:wid/tier',
    body: TierChange,
    responses: { 200: Workspace },
    find: ({ db, params }) => requireWorkspace(db, params['wid']),
    change: (context) => setTier(context, context.params['wid'] as string, context.body),
    etag: true,
  })
  router.change({
    id: 'transferWorkspace',
    summary: 'Move a workspace to another organisation',
    ...staff,
    method: 'POST',
    url: '/api/v2/admin/workspaces/:wid/transfer',
    body: Transfer,
    responses: { 200: Workspace },
    find: ({ db, params }) => requireWorkspace(db, params['wid']),
    change: (context) => transferWorkspace(context, context.params['wid'] as string, context.body),
    etag: true,
  })
  router.read({
    id: 'listServiceAudit',
    summary: 'List the audit log of the whole service, newest first',
    ...staff,
    url: '/api/v2/admin/audit',
    query: auditQuery,
    responses: { 200: pageOf(AuditEntry) },
    read: (context) => pageOfAudit(context, context.query, parts.store, (rows) => rows),
  })
  router.read({
    id: 'listAllWebhooks',
    summary: 'List all webhooks with their health, newest first',
    ...staff,
    url: '/api/v2/admin/webhooks',
    query: webhookQuery,
    responses: { 200: pageOf(Webhook) },
    read: (context) => listAllWebhooks(context, context.query),
  })
  router.change({
    id: 'disableWebhook',
    summary: 'Disable a webhook; only staff can enable it again',
    ...staff,
    method: 'POST',
    url: '/api/v2/admin/webhooks/:id/disable',
    body: Disabling,
    responses: { 200: Webhook },
    find: ({ db, params }) => requireWebhook(db, params['id']),
    change: (context) => disableByStaff(context, context.params['id'] as string, context.body),
  })
  router.read({
    id: 'listJobs',
    summary: 'List background jobs, newest first',
    ...staff,
    url: '/api/v2/admin/jobs',
    query: jobQuery,
    responses: { 200: pageOf(Job) },
    read: (context) => listJobs(context, context.query),
  })
  router.change({
    id: 'retryJob',
    summary: 'Run a failed job again',
    ...staff,
    method: 'POST',
    url: '/api/v2/admin/jobs/:jid/retry',
    body: JobRetry,
    responses: { 202: RetriedJob },
    problems: ['job_not_failed', 'conversation_in_progress'],
    find: ({ db, params }) => findJob(db, params['jid']),
    change: (context, _tx, _prepared, job) => retryJob(context, job, context.body, parts),
  })
  router.read({
    id: 'readServiceUsage',
    summary: 'Read the usage of the whole service',
    ...staff,
    url: '/api/v2/admin/usage',
    responses: { 200: ServiceUsage },
    read: readServiceUsage,
  })
}

async function requireWorkspace(db: Db, id: string | undefined): Promise<void> {
  const workspaces = db.selectFrom('workspaces').select('id').where('deleted_at', 'is', null)
  if (!isUuid(id) || !(await workspaces.where('id', '=', id).executeTakeFirst()))
    throw new Problem('not_found')
}
