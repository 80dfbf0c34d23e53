import { Button, Card, Grid, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, dataOf } from '../api/client.ts'
import { OtherOrganisations } from '../organisations/other-organisations.tsx'
import { type Me, meQuery, myWorkspacesQuery } from '../session/me.ts'
import { Page } from '../ui/page.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'
import { Attention } from './attention.tsx'
import { FirstProject } from './first-project.tsx'
import { activityQuery } from './queries.ts'
import { Recent } from './recent.tsx'
import { WorkspaceProjects } from './workspace-projects.tsx'

export function Home(): ReactNode {
  const w = useWords()
  const { data: me } = useQuery(meQuery)
  const mine = useQuery(myWorkspacesQuery)
  const { error, refetch } = mine
  const activity = useQuery(activityQuery)
  // The problems stand first: projects that were drawn before them would move.
  const workspaces = activity.isPending ? undefined : mine.data
  const isNewcomer = workspaces?.length === 0
  return (
    <Page title={w.home.title}>
      {me && me.invitations.length > 0 && <Invitations all={me.invitations} />}
      {workspaces && activity.data && <Attention attention={activity.data.attention} />}
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!workspaces && !error && <Skeleton height={360} />}
      {isNewcomer && <FirstProject />}
      {workspaces && !isNewcomer && (
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, md: 7 }}>
            <Stack gap="lg">
              {workspaces.map((workspace) => (
                <WorkspaceProjects
                  key={workspace.id}
                  workspace={workspace}
                  organisation={me?.organisations.find(({ id }) => id === workspace.organisation_id)?.name}
                />
              ))}
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 5 }}>
            {activity.data && <Recent activity={activity.data} />}
            {activity.error && !activity.data && (
              <ProblemNote error={activity.error} retry={() => void activity.refetch()} />
            )}
          </Grid.Col>
        </Grid>
      )}
      {workspaces && <OtherOrganisations workspaces={workspaces} />}
    </Page>
  )
}

function Invitations({ all }: { all: Me['invitations'] }): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const answer = useMutation({
    mutationFn: ({ id, isAccepted }: { id: string; isAccepted: boolean }) =>
      dataOf<unknown>(
        isAccepted
          ? api.POST('/api/v2/invitations/{id}/accept', { params: { path: { id } } })
          : api.POST('/api/v2/invitations/{id}/decline', { params: { path: { id } } }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: ['me'] }),
  })
  return (
    <Card withBorder component="section" aria-labelledby="invitations">
      <Title order={2} id="invitations" mb="xs">
        {w.home.invitations}
      </Title>
      {answer.error && <ProblemNote error={answer.error} />}
      <Stack gap="xs">
        {all.map(({ id, workspace_name, organisation_name, role }) => (
          <Group key={id} justify="space-between">
            <Text>{w.home.invitedTo(workspace_name ?? organisation_name, w.members.roles[role])}</Text>
            <Group gap="xs">
              <Button size="xs" onClick={() => answer.mutate({ id, isAccepted: true })}>
                {w.home.accept}
              </Button>
              <Button size="xs" variant="default" onClick={() => answer.mutate({ id, isAccepted: false })}>
                {w.home.decline}
              </Button>
            </Group>
          </Group>
        ))}
      </Stack>
    </Card>
  )
}
