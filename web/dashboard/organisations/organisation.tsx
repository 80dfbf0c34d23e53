import { Card, Grid, SimpleGrid, Skeleton, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useOrganisationAccess } from '../session/access.ts'
import { RouteProblem } from '../shell/route-problem.tsx'
import { Page } from '../ui/page.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { ByTier, ConversationFigures } from '../usage/figures.tsx'
import { bytes } from '../usage/format.ts'
import { Meter } from '../usage/meter.tsx'
import { useWords } from '../words/words.tsx'
import { organisationQuery, organisationUsageQuery } from './queries.ts'
import { AllWorkspaces, MyWorkspaces } from './workspaces.tsx'

export function Organisation(): ReactNode {
  const { oid } = useParams({ from: '/organisations/$oid' })
  const may = useOrganisationAccess(oid)
  const { data, error, refetch } = useQuery(organisationQuery(oid))
  if (error && !data) return <RouteProblem error={error} reset={() => void refetch()} />
  if (!data) return <Skeleton height={320} />
  const seesUsage = may.has('organisation:usage')
  return (
    <Page title={data.record.name}>
      <Grid>
        <Grid.Col span={{ base: 12, md: seesUsage ? 7 : 12 }}>
          {may.has('workspace:list') ? (
            <AllWorkspaces organisationId={oid} mayCreate={may.has('workspace:create')} />
          ) : (
            <MyWorkspaces organisationId={oid} />
          )}
        </Grid.Col>
        {seesUsage && (
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Usage organisationId={oid} />
          </Grid.Col>
        )}
      </Grid>
    </Page>
  )
}

function Usage({ organisationId }: { organisationId: string }): ReactNode {
  const w = useWords()
  const { data: usage, error, refetch } = useQuery(organisationUsageQuery(organisationId))
  return (
    <Card withBorder component="section" aria-labelledby="usage">
      <Title order={2} id="usage" mb="sm">
        {w.usage.title}
      </Title>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!usage && !error && <Skeleton height={240} />}
      {usage && (
        <Stack gap="sm">
          <SimpleGrid cols={2} spacing="lg" verticalSpacing="xs">
            <ConversationFigures {...usage} />
            <Meter label={w.usage.storage} value={usage.stored_bytes} format={bytes} />
            <Meter label={w.usage.projects} value={usage.projects} />
          </SimpleGrid>
          <Meter label={w.usage.workspaces} value={usage.workspaces} max={usage.limits.workspaces} />
          <Meter label={w.usage.members} value={usage.members} max={usage.limits.members} />
          <ByTier counts={usage.by_tier} />
        </Stack>
      )}
    </Card>
  )
}
