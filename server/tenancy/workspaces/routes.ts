import { pageOf, pageQuery } from '../../api/pagination.ts'
import type { Router } from '../../api/router.ts'
import { deletion } from '../../api/schema.ts'
import type { Limits } from '../limits.ts'
import { createWorkspace } from './create-workspace.ts'
import { deleteWorkspace } from './delete-workspace.ts'
import { listWorkspaces } from './list-workspaces.ts'
import { readWorkspaceUsage } from './read-usage.ts'
import { NewWorkspace, toWorkspace, Workspace, WorkspacePatch, WorkspaceUsage } from './schema.ts'
import { updateWorkspace } from './update-workspace.ts'

const tag = 'Workspaces'
const ofOrganisation = '/api/v2/organisations/:oid/workspaces'
const one = '/api/v2/workspaces/:wid'

export function registerWorkspaces(router: Router, limits: Limits): void {
  router.read({
    id: 'listWorkspaces',
    summary: 'List the workspaces of an organisation',
    tag,
    url: ofOrganisation,
    access: { kind: 'organisation', capability: 'workspace:list' },
    query: pageQuery,
    responses: { 200: pageOf(Workspace) },
    read: (context) => listWorkspaces(context, context.query),
  })
  router.change({
    id: 'createWorkspace',
    summary: 'Create a workspace and become its owner',
    tag,
    method: 'POST',
    url: ofOrganisation,
    access: { kind: 'organisation', capability: 'workspace:create' },
    body: NewWorkspace,
    responses: { 201: Workspace },
    problems: ['limit_reached'],
    change: (context) => createWorkspace(context, context.body, limits),
    location: ({ id }) => `/api/v2/workspaces/${id}`,
    etag: true,
  })
  router.read({
    id: 'readWorkspace',
    summary: 'Read a workspace',
    tag,
    url: one,
    access: { kind: 'workspace', capability: null },
    responses: { 200: Workspace },
    read: async ({ target }) => toWorkspace(target),
    etag: true,
  })
  router.change({
    id: 'updateWorkspace',
    summary: 'Rename a workspace',
    tag,
    method: 'PATCH',
    url: one,
    access: { kind: 'workspace', capability: 'workspace:manage' },
    body: WorkspacePatch,
    responses: { 200: Workspace },
    change: (context) => updateWorkspace(context, context.body),
    etag: true,
  })
  router.change({
    id: 'deleteWorkspace',
    summary: 'Delete a workspace with all its projects',
    tag,
    ...deletion,
    url: one,
    access: { kind: 'workspace', capability: 'workspace:delete' },
    change: deleteWorkspace,
  })
  router.read({
    id: 'readWorkspaceUsage',
    summary: 'Read the usage of a workspace',
    tag,
    url: `${one}/usage`,
    access: { kind: 'workspace', capability: 'workspace:usage' },
    responses: { 200: WorkspaceUsage },
    read: (context) => readWorkspaceUsage(context, limits),
  })
}
