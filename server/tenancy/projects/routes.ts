import { pageOf, pageQuery } from '../../api/pagination.ts'
import { ok } from '../../api/response.ts'
import { noBody } from '../../api/schema.ts'
import type { Router } from '../../auth/index.ts'
import type { Limits } from '../limits.ts'
import { createProject } from './create-project.ts'
import { deleteProject } from './delete-project.ts'
import { listProjects } from './list-projects.ts'
import { NewProject, Project, ProjectPatch, toProject } from './schema.ts'
import { updateProject } from './update-project.ts'

const tag = 'Projects'
const ofWorkspace = '/api/v2/workspaces/:wid/projects'
const one = '/api/v2/projects/:pid'

export function registerProjects(router: Router, limits: Limits): void {
  router.read({
    id: 'listProjects',
    summary: 'The projects of a workspace',
    tag,
    url: ofWorkspace,
    access: { kind: 'workspace', capability: 'project:read' },
    query: pageQuery,
    answers: { 200: pageOf(Project) },
    read: listProjects,
  })
  router.change({
    id: 'createProject',
    summary: 'Create a project',
    tag,
    method: 'POST',
    url: ofWorkspace,
    access: { kind: 'workspace', capability: 'project:create' },
    body: NewProject,
    answers: { 201: Project },
    problems: ['limit_reached'],
    change: (context, tx) => createProject(context, tx, limits),
  })
  router.read({
    id: 'readProject',
    summary: 'One project',
    tag,
    url: one,
    access: { kind: 'project', capability: 'project:read' },
    answers: { 200: Project },
    // The access check has read the row already: one statement in all.
    read: async ({ target }) => ok(toProject(target)),
  })
  router.change({
    id: 'updateProject',
    summary: 'Change a project',
    tag,
    method: 'PATCH',
    url: one,
    access: { kind: 'project', capability: 'project:update' },
    body: ProjectPatch,
    answers: { 200: Project },
    change: updateProject,
  })
  router.change({
    id: 'deleteProject',
    summary: 'Delete a project',
    tag,
    method: 'DELETE',
    url: one,
    access: { kind: 'project', capability: 'project:delete' },
    body: noBody,
    answers: { 204: null },
    change: deleteProject,
  })
}
