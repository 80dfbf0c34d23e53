/** Authentication and authorization: what other areas can import. */
export { type Actor, audit } from './audit.ts'
export { type Authentication, createAuthentication } from './authenticate.ts'
export { type Access, type AccountAccess, authorize, type EffectiveRoles } from './authorize.ts'
export {
  isAbove,
  organisationCapabilities,
  organisationRolesWith,
  ROLES,
  type Role,
  type WorkspaceCapability,
  workspaceCapabilities,
  workspaceRolesWith,
} from './capabilities.ts'
export {
  connectIdentityStore,
  type IdentityStore,
  identityUnavailable,
  type Profile,
  StoreUnavailable,
} from './directus/client.ts'
export { publishedKeys } from './directus/published-keys.ts'
export { sharedSecretKeys } from './directus/shared-secret.ts'
export type { TokenKeys } from './directus/verify-token.ts'
export type { OrganisationTarget, ProjectTarget, WorkspaceTarget } from './locate-target.ts'
export {
  createParticipantTokens,
  digestOf,
  newParticipantToken,
  type ParticipantConversation,
} from './participant-token.ts'
export type { Principal } from './principal.ts'
export { includesTier, TIERS, type Tier } from './tiers.ts'
