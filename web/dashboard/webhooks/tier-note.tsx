import { Alert, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { projectQuery } from '../projects/queries.ts'
import { myWorkspacesQuery } from '../session/me.ts'
import { Page } from '../ui/page.tsx'
import { useWords } from '../words/words.tsx'

/** Shown instead of the section if the workspace's tier does not include it. */
export function TierNote({ projectId }: { projectId: string }): ReactNode {
  const w = useWords()
  const { data: project } = useQuery(projectQuery(projectId))
  const { data: workspaces } = useQuery(myWorkspacesQuery)
  const tier = workspaces?.find(({ id }) => id === project?.record.workspace_id)?.tier ?? ''
  return (
    <Page title={w.webhooks.title}>
      <Alert color="blue" title={w.webhooks.tierTitle} maw={720}>
        <Text size="sm">{w.webhooks.tierHelp(w.webhooks.tiers[tier] ?? tier)}</Text>
        <Text size="sm" mt="xs">
          {w.webhooks.tierKept}
        </Text>
      </Alert>
    </Page>
  )
}
