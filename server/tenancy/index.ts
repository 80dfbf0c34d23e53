import type { IdentityStore, Router } from '../access/index.ts'
import { registerInvitations } from './invitations/routes.ts'
import { Me, readMe } from './me/read-me.ts'
import { registerMembers } from './members/routes.ts'
import { registerOrganisations } from './organisations/routes.ts'
import { registerProjects } from './projects/routes.ts'
import { registerWorkspaces } from './workspaces/routes.ts'

export { AuditEntry, auditQuery, pageOfAudit } from './audit-page.ts'
export { conversationColumns, conversationUsage } from './conversation-usage.ts'
export { noteStaffReading } from './note-staff-reading.ts'
export { Organisation, toOrganisation } from './organisations/schema.ts'
export { findConsentText, listConsentTexts, versionOfConsent } from './projects/consent-texts.ts'
export { placeOf } from './projects/place.ts'
export { toProject } from './projects/schema.ts'
export { toWorkspace, Workspace } from './workspaces/schema.ts'
export { lockWorkspace } from './workspaces/update-workspace.ts'

export interface TenancyOptions {
  store: IdentityStore
  whoMayCreateOrganisations: 'any' | 'staff'
}

/** Organisations, workspaces, members, projects. */
export function registerTenancy(router: Router, { store, whoMayCreateOrganisations }: TenancyOptions): void {
  router.read({
    id: 'readMe',
    summary: 'Who you are and what you belong to',
    tag: 'Me',
    url: '/api/v2/me',
    access: { kind: 'signed_in' },
    answers: { 200: Me },
    read: (context) => readMe(context, store),
  })
  registerOrganisations(router, whoMayCreateOrganisations)
  registerWorkspaces(router)
  registerMembers(router, store)
  registerInvitations(router, store)
  registerProjects(router)
}
