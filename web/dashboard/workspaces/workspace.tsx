import { Button, Card, Grid, SimpleGrid, Skeleton, Stack, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { addMember } from '../members/queries.ts'
import { useOrganisationAccess, useWorkspaceAccess } from '../session/access.ts'
import { meQuery } from '../session/me.ts'
import { RouteProblem } from '../shell/route-problem.tsx'
import { Empty, Page } from '../ui/page.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { ConversationFigures } from '../usage/figures.tsx'
import { bytes } from '../usage/format.ts'
import { Meter } from '../usage/meter.tsx'
import { useWords } from '../words/words.tsx'
import { OrganisationLink } from './organisation-link.tsx'
import { Projects } from './projects.tsx'
import { workspaceQuery, workspaceUsageQuery } from './queries.ts'
import { TierExplained } from './tier.tsx'

export function Workspace(): ReactNode {
  const { wid } = useParams({ from: '/workspaces/$wid' })
  const may = useWorkspaceAccess(wid)
  const { data, error, refetch } = useQuery(workspaceQuery(wid))
  if (error && !data) return <RouteProblem error={error} reset={() => void refetch()} />
  if (!data) return <Skeleton height={320} />
  const { record: workspace } = data
  return (
    <Page title={workspace.name} above={<OrganisationLink organisationId={workspace.organisation_id} />}>
      <Grid>
        <Grid.Col span={{ base: 12, md: may.has('workspace:usage') ? 7 : 12 }}>
          {may.has('project:read') ? (
            <Projects workspaceId={wid} mayCreate={may.has('project:create')} />
          ) : (
            <NoProjects workspaceId={wid} organisationId={workspace.organisation_id} />
          )}
        </Grid.Col>
        {may.has('workspace:usage') && (
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Usage workspaceId={wid} />
          </Grid.Col>
        )}
      </Grid>
    </Page>
  )
}

/** A billing user, or someone who manages the organisation and has no role here. */
function NoProjects(props: { workspaceId: string; organisationId: string }): ReactNode {
  const { workspaceId: id, organisationId } = props
  const w = useWords()
  const client = useQueryClient()
  const { data: me } = useQuery(meQuery)
  const { role } = useWorkspaceAccess(id)
  const mayJoin = useOrganisationAccess(organisationId).has('organisation:members') && role === null
  const join = useMutation({
    mutationFn: (user_id: string) => addMember({ kind: 'workspace', id }, { user_id, role: 'admin' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['me'] }),
  })
  return (
    <Card withBorder>
      {mayJoin ? (
        <Empty title={w.workspace.noRole} help={w.workspace.noRoleHelp}>
          <Button loading={join.isPending} onClick={() => me && join.mutate(me.user.id)}>
            {w.workspace.join}
          </Button>
        </Empty>
      ) : (
        <Empty title={w.workspace.noProjects} help={w.workspace.noProjectsHelp} />
      )}
      {join.error && <ProblemNote error={join.error} />}
    </Card>
  )
}

function Usage({ workspaceId }: { workspaceId: string }): ReactNode {
  const w = useWords()
  const { data: usage, error, refetch } = useQuery(workspaceUsageQuery(workspaceId))
  return (
    <Card withBorder component="section" aria-labelledby="usage">
      <Title order={2} id="usage" mb="sm">
        {w.usage.title}
      </Title>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!usage && !error && <Skeleton height={220} />}
      {usage && (
        <Stack gap="sm">
          <SimpleGrid cols={2} spacing="lg">
            <ConversationFigures {...usage} />
          </SimpleGrid>
          <Meter
            label={w.usage.projects}
            note={w.usage.openProjects(usage.open_projects)}
            value={usage.projects}
            max={usage.limits.projects}
          />
          <Meter label={w.usage.members} value={usage.members} max={usage.limits.members} />
          <Meter
            label={w.usage.storage}
            value={usage.stored_bytes}
            max={usage.limits.stored_bytes}
            format={bytes}
          />
          <TierExplained tier={usage.tier} />
        </Stack>
      )}
    </Card>
  )
}
