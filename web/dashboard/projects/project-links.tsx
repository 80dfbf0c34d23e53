import { Divider, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useWorkspaceAccess } from '../session/access.ts'
import { PageLink } from '../ui/page-link.tsx'
import { useWords } from '../words/words.tsx'
import { projectQuery } from './queries.ts'

/** The pages of the project that is open. */
export function ProjectLinks({ projectId }: { projectId: string }): ReactNode {
  const w = useWords()
  const { data, isError } = useQuery(projectQuery(projectId))
  const may = useWorkspaceAccess(data?.record.workspace_id)
  if (isError && !data) return null
  const base = `/projects/${projectId}`
  return (
    <>
      <Divider my="sm" />
      <Text size="sm" fw={600} px="sm" mb={4} truncate>
        <bdi>{data?.record.name ?? '\u00a0'}</bdi>
      </Text>
      <PageLink to={base} label={w.shell.overview} isExact />
      <PageLink to={`${base}/live`} label={w.room.link} />
      <PageLink to={`${base}/conversations`} label={w.shell.conversations} />
      <PageLink to={`${base}/reports`} label={w.shell.reports} />
      {may.has('workspace:webhooks') && <PageLink to={`${base}/webhooks`} label={w.shell.webhooks} />}
      {may.has('project:update') && <PageLink to={`${base}/settings`} label={w.projectSettings.title} />}
    </>
  )
}
