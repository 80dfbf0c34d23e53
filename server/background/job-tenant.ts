import type { JobWithMetadata } from 'pg-boss'
import type { Tx } from '../../database/database.ts'
import { createBoundedCache } from '../../platform/bounded-cache.ts'

export interface Tenant {
  organisationId: string
  workspaceId: string
  projectId: string
}

/** Returns the workspace and organisation of projects. An unknown project counts as a separate organisation. */
export function createTenantCache(): (tx: Tx, projectIds: string[]) => Promise<Map<string, Tenant>> {
  const known = createBoundedCache<string, Tenant>({ max: 10_000, ttl: 600_000 })
  return async (tx, projectIds) => {
    const unknown = [...new Set(projectIds)].filter((id) => !known.has(id))
    const rows = unknown.length === 0 ? [] : await selectTenants(tx, unknown)
    for (const row of rows) known.set(row.projectId, row)
    const alone = (id: string): Tenant => ({ organisationId: id, workspaceId: id, projectId: id })
    return new Map(projectIds.map((id) => [id, known.get(id) ?? alone(id)]))
  }
}

const selectTenants = (tx: Tx, projectIds: string[]): Promise<Tenant[]> =>
  tx
    .selectFrom('projects')
    .innerJoin('workspaces', 'workspaces.id', 'projects.workspace_id')
    .select([
      'projects.id as projectId',
      'workspaces.id as workspaceId',
      'workspaces.organisation_id as organisationId',
    ])
    .where('projects.id', 'in', projectIds)
    .execute()

/** pg-boss stores a group and its tier with a job. The tier carries the rest of the tenant, whose time workers report. */
export const groupOf = ({ organisationId, workspaceId, projectId }: Tenant) => ({
  id: projectId,
  tier: `${organisationId} ${workspaceId}`,
})

export function tenantOf(job: Pick<JobWithMetadata, 'groupId' | 'groupTier'>): Tenant | null {
  const [organisationId, workspaceId] = job.groupTier?.split(' ') ?? []
  return job.groupId && organisationId && workspaceId
    ? { organisationId, workspaceId, projectId: job.groupId }
    : null
}
