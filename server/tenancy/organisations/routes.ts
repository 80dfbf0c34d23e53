import { pageOf, pageQuery } from '../../api/pagination.ts'
import type { Router } from '../../api/router.ts'
import { deletion } from '../../api/schema.ts'
import type { IdentityStore } from '../../auth/index.ts'
import { AuditEntry, auditQuery } from '../audit-page.ts'
import type { Limits } from '../limits.ts'
import { createOrganisation } from './create-organisation.ts'
import { deleteOrganisation } from './delete-organisation.ts'
import { listOrganisationAudit } from './list-audit.ts'
import { listOrganisations } from './list-organisations.ts'
import { readOrganisationUsage } from './read-usage.ts'
import {
  NewOrganisation,
  Organisation,
  OrganisationPatch,
  OrganisationUsage,
  toOrganisation,
} from './schema.ts'
import { updateOrganisation } from './update-organisation.ts'

const tag = 'Organisations'
const all = '/api/v2/organisations'
const one = `${all}/:oid`

interface OrganisationParts {
  organisationCreation: 'any' | 'staff'
  limits: Limits
  store: IdentityStore
}

export function registerOrganisations(router: Router, parts: OrganisationParts): void {
  const { organisationCreation: whoMayCreate, limits, store } = parts
  router.read({
    id: 'listOrganisations',
    summary: 'List your organisations',
    tag,
    url: all,
    access: { kind: 'signed_in' },
    query: pageQuery,
    responses: { 200: pageOf(Organisation) },
    read: (context) => listOrganisations(context, context.query),
  })
  router.change({
    id: 'createOrganisation',
    summary: 'Create an organisation and become its owner',
    tag,
    method: 'POST',
    url: all,
    access: { kind: whoMayCreate === 'staff' ? 'staff' : 'signed_in' },
    body: NewOrganisation,
    responses: { 201: Organisation },
    problems: ['limit_reached'],
    change: (context) => createOrganisation(context, context.body, limits),
    location: ({ id }) => `${all}/${id}`,
    etag: true,
  })
  router.read({
    id: 'readOrganisation',
    summary: 'Read an organisation',
    tag,
    url: one,
    access: { kind: 'organisation', capability: 'organisation:read' },
    responses: { 200: Organisation },
    read: async ({ target }) => toOrganisation(target),
    etag: true,
  })
  router.change({
    id: 'updateOrganisation',
    summary: 'Rename an organisation',
    tag,
    method: 'PATCH',
    url: one,
    access: { kind: 'organisation', capability: 'organisation:manage' },
    body: OrganisationPatch,
    responses: { 200: Organisation },
    change: (context) => updateOrganisation(context, context.body),
    etag: true,
  })
  router.change({
    id: 'deleteOrganisation',
    summary: 'Delete an organisation with all its workspaces and projects',
    tag,
    ...deletion,
    url: one,
    access: { kind: 'organisation', capability: 'organisation:delete' },
    change: deleteOrganisation,
  })
  router.read({
    id: 'readOrganisationUsage',
    summary: 'Read the usage of an organisation',
    tag,
    url: `${one}/usage`,
    access: { kind: 'organisation', capability: 'organisation:usage' },
    responses: { 200: OrganisationUsage },
    read: (context) => readOrganisationUsage(context, limits),
  })
  router.read({
    id: 'listOrganisationAudit',
    summary: 'List the audit log of an organisation, newest first',
    tag,
    url: `${one}/audit`,
    access: { kind: 'organisation', capability: 'organisation:audit' },
    query: auditQuery,
    responses: { 200: pageOf(AuditEntry) },
    read: (context) => listOrganisationAudit(context, context.query, store),
  })
}
