import { Badge, Button, Card, Grid, Group, Skeleton, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api, dataOf, type Schemas, type Versioned } from '../api/client.ts'
import { conversationsQuery } from '../conversations/queries.ts'
import { ConversationRows } from '../conversations/rows.tsx'
import { useWorkspaceAccess } from '../session/access.ts'
import { RouteProblem } from '../shell/route-problem.tsx'
import { Page } from '../ui/page.tsx'
import { TextLink } from '../ui/page-link.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'
import { Figures } from './figures.tsx'
import { projectQuery } from './queries.ts'
import { QrCode, RecordingLink } from './recording-link.tsx'

export function Overview(): ReactNode {
  const { pid } = useParams({ from: '/projects/$pid' })
  const { data, error, refetch } = useQuery(projectQuery(pid))
  if (error && !data) return <RouteProblem error={error} reset={() => void refetch()} />
  if (!data) return <Skeleton height={320} />
  const { record: project } = data
  return (
    <Page title={project.name} actions={<OpenSwitch project={data} />}>
      <Figures projectId={pid} />
      <Grid>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <RecordingLink project={project} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <QrCode projectId={pid} />
        </Grid.Col>
      </Grid>
      <Latest projectId={pid} />
    </Page>
  )
}

function OpenSwitch({ project: { record, etag } }: { project: Versioned<Schemas['Project']> }): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const may = useWorkspaceAccess(record.workspace_id)
  const { mutate, isPending, error } = useMutation({
    mutationFn: (is_open: boolean) =>
      dataOf(
        api.PATCH('/api/v2/projects/{pid}', {
          params: { path: { pid: record.id } },
          body: { is_open },
          headers: { ...(etag && { 'If-Match': etag }) },
        }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: ['projects', record.id] }),
  })
  return (
    <>
      <Badge size="lg" variant="light" color={record.is_open ? 'green' : 'gray'}>
        {record.is_open ? w.project.open : w.project.closed}
      </Badge>
      {may.has('project:update') && (
        <Button variant="default" loading={isPending} onClick={() => mutate(!record.is_open)}>
          {record.is_open ? w.project.closeIt : w.project.openIt}
        </Button>
      )}
      {error && <ProblemNote error={error} />}
    </>
  )
}

const LATEST = 5

function Latest({ projectId }: { projectId: string }): ReactNode {
  const w = useWords()
  const { data, error, refetch } = useQuery({
    queryKey: [...conversationsQuery(projectId, {}).queryKey, 'latest'],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/v2/projects/{pid}/conversations', {
          params: { path: { pid: projectId }, query: { limit: LATEST } },
          signal,
        }),
      ),
  })
  return (
    <Card withBorder component="section" aria-labelledby="latest">
      <Group justify="space-between" mb="xs">
        <Title order={2} id="latest">
          {w.project.latest}
        </Title>
        <TextLink to="/projects/$pid/conversations" params={{ pid: projectId }}>
          {w.project.all}
        </TextLink>
      </Group>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {data ? (
        <ConversationRows conversations={data.data} isFiltered={false} />
      ) : (
        !error && <Skeleton height={120} />
      )}
    </Card>
  )
}
