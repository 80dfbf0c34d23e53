import { pageOf, pageQuery } from '../../api/pagination.ts'
import type { Router } from '../../api/router.ts'
import { deletion } from '../../api/schema.ts'
import { createProject } from './create-project.ts'
import { deleteProject } from './delete-project.ts'
import { listChanges, ProjectChange } from './list-changes.ts'
import { ConsentVersion, listConsentVersions } from './list-consent-versions.ts'
import { listProjects } from './list-projects.ts'
import { registerLogo } from './logo/routes.ts'
import type { ProjectParts } from './parts.ts'
import { RetentionPreview, readRetention, retentionQuery } from './read-retention.ts'
import { NewProject, Project, ProjectPatch, toProject } from './schema.ts'
import { ProjectStatistics, readProjectStatistics, statisticsQuery } from './statistics.ts'
import { updateProject } from './update-project.ts'

const tag = 'Projects'
const ofWorkspace = '/api/v2/workspaces/:wid/projects'
const one = '/api/v2/projects/:pid'

export async function registerProjects(router: Router, parts: ProjectParts): Promise<void> {
  const { publicUrl } = parts
  router.read({
    id: 'listProjects',
    summary: 'List the projects of a workspace',
    tag,
    url: ofWorkspace,
    access: { kind: 'workspace', capability: 'project:read' },
    query: pageQuery,
    responses: { 200: pageOf(Project) },
    read: (context) => listProjects(context, context.query, publicUrl),
  })
  router.change({
    id: 'createProject',
    summary: 'Create a project',
    tag,
    method: 'POST',
    url: ofWorkspace,
    access: { kind: 'workspace', capability: 'project:create' },
    body: NewProject,
    responses: { 201: Project },
    problems: ['limit_reached'],
    change: (context) => createProject(context, context.body, parts),
    location: ({ id }) => `/api/v2/projects/${id}`,
    etag: true,
  })
  router.read({
    id: 'readProject',
    summary: 'Read a project',
    tag,
    url: one,
    access: { kind: 'project', capability: 'project:read' },
    responses: { 200: Project },
    // The access check has already read the row.
    read: async ({ target }) => toProject(target, publicUrl),
    etag: true,
  })
  router.change({
    id: 'updateProject',
    summary: 'Change a project',
    tag,
    method: 'PATCH',
    url: one,
    access: { kind: 'project', capability: 'project:update' },
    body: ProjectPatch,
    responses: { 200: Project },
    change: (context) => updateProject(context, context.body, publicUrl),
    etag: true,
  })
  router.change({
    id: 'deleteProject',
    summary: 'Delete a project',
    tag,
    ...deletion,
    url: one,
    access: { kind: 'project', capability: 'project:delete' },
    change: deleteProject,
  })
  registerDetails(router, parts)
  await registerLogo(router, parts)
}

/** Routes for the data that the settings and the overview of a project show beside the record. */
function registerDetails(router: Router, { store }: ProjectParts): void {
  router.read({
    id: 'readProjectStatistics',
    summary: 'Count the conversations of a project, in total and per day',
    tag,
    url: `${one}/statistics`,
    access: { kind: 'project', capability: 'conversation:read' },
    query: statisticsQuery,
    responses: { 200: ProjectStatistics },
    read: ({ db, target, query }) => readProjectStatistics(db, target.id, query),
  })
  router.read({
    id: 'readRetention',
    summary: 'Count what a value of `retention_days` would erase',
    tag,
    url: `${one}/retention`,
    access: { kind: 'project', capability: 'project:update' },
    query: retentionQuery,
    responses: { 200: RetentionPreview },
    read: ({ db, target, query }) => readRetention(db, target.id, query),
  })
  router.read({
    id: 'listConsentTexts',
    summary: 'List the consent texts of a project, newest first',
    tag,
    url: `${one}/consent-texts`,
    access: { kind: 'project', capability: 'project:read' },
    query: pageQuery,
    responses: { 200: pageOf(ConsentVersion) },
    read: (context) => listConsentVersions(context, context.query),
  })
  router.read({
    id: 'listProjectChanges',
    summary: 'List who changed which settings of a project, newest first',
    tag,
    url: `${one}/changes`,
    access: { kind: 'project', capability: 'project:update' },
    query: pageQuery,
    responses: { 200: pageOf(ProjectChange) },
    read: (context) => listChanges(context, context.query, store),
  })
}
