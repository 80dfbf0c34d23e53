import './problems.ts'
import type { Router } from '../api/router.ts'
import { registerInvitations } from './invitations/routes.ts'
import { registerMe } from './me/routes.ts'
import { type MemberParts, registerMembers } from './members/routes.ts'
import { registerOrganisations } from './organisations/routes.ts'
import type { ProjectParts } from './projects/parts.ts'
import { registerProjects } from './projects/routes.ts'
import { registerWorkspaces } from './workspaces/routes.ts'

export { AuditEntry, auditQuery, pageOfAudit } from './audit-page.ts'
export { conversationColumns, conversationUsage } from './conversation-usage.ts'
export { createLimits, type Limits } from './limits.ts'
export { withdrawInvitations } from './members/invite.ts'
export {
  noteStaffReading,
  noteStaffReadings,
  noteStaffWatching,
  type StaffReading,
} from './note-staff-reading.ts'
export { Organisation, toOrganisation } from './organisations/schema.ts'
export { accentColors } from './projects/accent-color.ts'
export { AUTO } from './projects/auto-language.ts'
export { findConsentText, listConsentTexts, versionOfConsent } from './projects/consent-texts.ts'
export { logoPath, recordingUrl, shortUrl } from './projects/links.ts'
export { projectFolder } from './projects/logo/file-keys.ts'
export { toProject } from './projects/schema.ts'
export { lockRecord, tenantIdsOf } from './records.ts'
export { lockTierOfWorkspace } from './tier-of.ts'
export { toWorkspace, Workspace } from './workspaces/schema.ts'

export interface TenancyOptions extends MemberParts, ProjectParts {
  organisationCreation: 'any' | 'staff'
}

/** Organisations, workspaces, members, projects. */
export async function registerTenancy(router: Router, options: TenancyOptions): Promise<void> {
  const { store, limits } = options
  registerMe(router, store)
  registerOrganisations(router, options)
  registerWorkspaces(router, limits)
  registerMembers(router, { store, limits })
  registerInvitations(router, { store, limits })
  await registerProjects(router, options)
}
