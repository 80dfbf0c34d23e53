import { useQuery } from '@tanstack/react-query'
import { myWorkspacesQuery } from '../session/me.ts'
import { projectQuery } from './queries.ts'

/**
 * The user's capabilities in the workspace of a project; null while they load. A page that is drawn before they are known moves when
 * its buttons appear.
 */
export function useProjectCapabilities(projectId: string): ReadonlySet<string> | null {
  const project = useQuery(projectQuery(projectId))
  const workspaces = useQuery(myWorkspacesQuery)
  if (project.isPending || workspaces.isPending) return null
  const workspaceId = project.data?.record.workspace_id
  return new Set(workspaces.data?.find(({ id }) => id === workspaceId)?.capabilities)
}
