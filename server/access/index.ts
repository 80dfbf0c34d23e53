/** Who is asking, and what may they do: what other areas may use of it. */
export { audit, type Doer } from './audit.ts'
export { type Authentication, createAuthentication } from './authenticate.ts'
export { isAbove, organisationCapabilities, ROLES, type Role, workspaceCapabilities } from './capabilities.ts'
export { type Access, decide, type Guarded, type Standing } from './decide.ts'
export {
  connectIdentityStore,
  type IdentityStore,
  identityUnavailable,
  type Profile,
  StoreUnavailable,
} from './identity-store.ts'
export { accessProblems, describeAccess } from './openapi.ts'
export type { Principal } from './principal.ts'
export { publishedKeys } from './published-keys.ts'
export type { Context } from './route-spec.ts'
export { admit, createRouter, type Router, type RouterOptions } from './router.ts'
export { sharedSecretKeys } from './shared-secret.ts'
export { includesTier, TIERS, type Tier } from './tiers.ts'
export type { TokenKeys } from './verify-token.ts'
