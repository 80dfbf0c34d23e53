import { type AnyRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readAuditFilters } from './audit/filters.ts'
import { readJobFilters, readWebhookFilters, readWorkspaceFilters } from './staff/filters.ts'

/** The pages of organisations, workspaces, the own account and staff. */
export function peopleRoutes<Root extends AnyRootRoute>(root: Root) {
  const getParentRoute = () => root
  const organisation = createRoute({
    getParentRoute,
    path: '/organisations/$oid',
    component: lazyRouteComponent(() => import('./organisations/organisation.tsx'), 'Organisation'),
  })
  const organisationMembers = createRoute({
    getParentRoute,
    path: '/organisations/$oid/members',
    component: lazyRouteComponent(() => import('./organisations/members.tsx'), 'OrganisationMembers'),
  })
  const organisationAudit = createRoute({
    getParentRoute,
    path: '/organisations/$oid/audit',
    validateSearch: readAuditFilters,
    component: lazyRouteComponent(() => import('./organisations/audit.tsx'), 'OrganisationAudit'),
  })
  const organisationSettings = createRoute({
    getParentRoute,
    path: '/organisations/$oid/settings',
    component: lazyRouteComponent(() => import('./organisations/settings.tsx'), 'OrganisationSettings'),
  })
  const workspace = createRoute({
    getParentRoute,
    path: '/workspaces/$wid',
    component: lazyRouteComponent(() => import('./workspaces/workspace.tsx'), 'Workspace'),
  })
  const workspaceMembers = createRoute({
    getParentRoute,
    path: '/workspaces/$wid/members',
    component: lazyRouteComponent(() => import('./workspaces/members.tsx'), 'WorkspaceMembers'),
  })
  const workspaceSettings = createRoute({
    getParentRoute,
    path: '/workspaces/$wid/settings',
    component: lazyRouteComponent(() => import('./workspaces/settings.tsx'), 'WorkspaceSettings'),
  })
  const profile = createRoute({
    getParentRoute,
    path: '/profile',
    component: lazyRouteComponent(() => import('./profile/profile.tsx'), 'Profile'),
  })
  const service = createRoute({
    getParentRoute,
    path: '/staff',
    component: lazyRouteComponent(() => import('./staff/service.tsx'), 'Service'),
  })
  const staffOrganisations = createRoute({
    getParentRoute,
    path: '/staff/organisations',
    component: lazyRouteComponent(() => import('./staff/organisations.tsx'), 'StaffOrganisations'),
  })
  const staffWorkspaces = createRoute({
    getParentRoute,
    path: '/staff/workspaces',
    validateSearch: readWorkspaceFilters,
    component: lazyRouteComponent(() => import('./staff/workspaces.tsx'), 'StaffWorkspaces'),
  })
  const staffWebhooks = createRoute({
    getParentRoute,
    path: '/staff/webhooks',
    validateSearch: readWebhookFilters,
    component: lazyRouteComponent(() => import('./staff/webhooks.tsx'), 'StaffWebhooks'),
  })
  const staffJobs = createRoute({
    getParentRoute,
    path: '/staff/jobs',
    validateSearch: readJobFilters,
    component: lazyRouteComponent(() => import('./staff/jobs.tsx'), 'StaffJobs'),
  })
  const staffAudit = createRoute({
    getParentRoute,
    path: '/staff/audit',
    validateSearch: readAuditFilters,
    component: lazyRouteComponent(() => import('./staff/audit.tsx'), 'StaffAudit'),
  })
  return [
    organisation,
    organisationMembers,
    organisationAudit,
    organisationSettings,
    workspace,
    workspaceMembers,
    workspaceSettings,
    profile,
    service,
    staffOrganisations,
    staffWorkspaces,
    staffWebhooks,
    staffJobs,
    staffAudit,
  ] as const
}
