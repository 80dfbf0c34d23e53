/** Who is asking, and what may they do: what other areas may use of it. */

export { accessProblems, describeAccess } from '../api/openapi/describe-route.ts'
export type { Context } from '../api/route-spec.ts'
export { admit, createRouter, type Router, type RouterOptions } from '../api/router.ts'
export { audit, type Doer } from './audit.ts'
export { type Authentication, createAuthentication } from './authenticate.ts'
export { type Access, decide, type Guarded, type Standing } from './authorize.ts'
export { isAbove, organisationCapabilities, ROLES, type Role, workspaceCapabilities } from './capabilities.ts'
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
export type { Principal } from './principal.ts'
export { includesTier, TIERS, type Tier } from './tiers.ts'
