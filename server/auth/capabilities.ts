/** Which role has which capabilities. A user has separate roles in each organisation and workspace. */
export const ROLES = ['owner', 'admin', 'member', 'billing', 'external', 'observer'] as const
export type Role = (typeof ROLES)[number]

export const WORKSPACE_CAPABILITIES = {
  'project:read': ['owner', 'admin', 'member', 'external', 'observer'],
  'conversation:read': ['owner', 'admin', 'member', 'external', 'observer'],
  'report:read': ['owner', 'admin', 'member', 'external', 'observer'],
  'project:create': ['owner', 'admin', 'member'],
  'conversation:delete': ['owner', 'admin', 'member'],
  'report:publish': ['owner', 'admin', 'member'],
  'project:update': ['owner', 'admin', 'member', 'external'],
  'conversation:update': ['owner', 'admin', 'member', 'external'],
  'report:generate': ['owner', 'admin', 'member', 'external'],
  'project:delete': ['owner', 'admin'],
  'report:delete': ['owner', 'admin'],
  'workspace:manage': ['owner', 'admin'],
  'workspace:members': ['owner', 'admin'],
  'workspace:export': ['owner', 'admin'],
  'workspace:webhooks': ['owner', 'admin'],
  'workspace:usage': ['owner', 'admin', 'member', 'billing'],
  'workspace:delete': ['owner'],
} as const satisfies Record<string, readonly Role[]>
export type WorkspaceCapability = keyof typeof WORKSPACE_CAPABILITIES

export const ORGANISATION_CAPABILITIES = {
  'organisation:read': ROLES,
  'organisation:usage': ['owner', 'admin', 'billing'],
  'organisation:manage': ['owner', 'admin'],
  'organisation:members': ['owner', 'admin'],
  'organisation:audit': ['owner', 'admin'],
  'workspace:create': ['owner', 'admin'],
  'workspace:list': ['owner', 'admin'],
  'organisation:delete': ['owner'],
} as const satisfies Record<string, readonly Role[]>
export type OrganisationCapability = keyof typeof ORGANISATION_CAPABILITIES

type Table = Record<string, readonly Role[]>
const holds = (table: Table, role: Role | null, capability: string): boolean =>
  role !== null && (table[capability]?.includes(role) ?? false)
const allOf = (table: Table, role: Role | null): string[] =>
  Object.keys(table).filter((capability) => holds(table, role, capability))

export const workspaceRoleHolds = (role: Role | null, capability: WorkspaceCapability): boolean =>
  holds(WORKSPACE_CAPABILITIES, role, capability)
/** As a list for SQL statements, as is the next one. */
export const workspaceRolesWith = (capability: WorkspaceCapability): readonly Role[] =>
  WORKSPACE_CAPABILITIES[capability]
export const organisationRolesWith = (capability: OrganisationCapability): readonly Role[] =>
  ORGANISATION_CAPABILITIES[capability]
export const organisationRoleHolds = (role: Role | null, capability: OrganisationCapability): boolean =>
  holds(ORGANISATION_CAPABILITIES, role, capability)
export const workspaceCapabilities = (role: Role | null): string[] => allOf(WORKSPACE_CAPABILITIES, role)
export const organisationCapabilities = (role: Role | null): string[] =>
  allOf(ORGANISATION_CAPABILITIES, role)

/** A role is above another when it can do something in a workspace or an organisation that the other can't. */
export const isAbove = (role: Role, other: Role): boolean =>
  !capabilitiesOf(role).isSubsetOf(capabilitiesOf(other))

const capabilitiesOf = (role: Role): Set<string> =>
  new Set([...workspaceCapabilities(role), ...organisationCapabilities(role)])
