import { Divider, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useOrganisationAccess, useWorkspaceAccess } from '../session/access.ts'
import { PageLink } from '../ui/page-link.tsx'
import { useWords } from '../words/words.tsx'
import { workspaceQuery } from './queries.ts'

/** The pages of the workspace that is open. */
export function WorkspaceLinks({ workspaceId }: { workspaceId: string }): ReactNode {
  const w = useWords()
  const { data } = useQuery(workspaceQuery(workspaceId))
  const may = useWorkspaceAccess(workspaceId)
  const inOrganisation = useOrganisationAccess(data?.record.organisation_id)
  const base = `/workspaces/${workspaceId}`
  return (
    <>
      <Divider my="sm" />
      <Text size="sm" fw={600} px="sm" mb={4} truncate>
        <bdi>{data?.record.name ?? '\u00a0'}</bdi>
      </Text>
      <PageLink to={base} label={w.workspace.overview} isExact />
      {(may.has('workspace:members') || inOrganisation.has('organisation:members')) && (
        <PageLink to={`${base}/members`} label={w.workspace.members} />
      )}
      {(may.has('workspace:manage') || may.has('workspace:delete')) && (
        <PageLink to={`${base}/settings`} label={w.workspace.settings} />
      )}
    </>
  )
}
