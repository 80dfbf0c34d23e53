import { Badge, Button, Card, Group, NavLink, Skeleton, Stack, TextInput, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { FormEvent, ReactNode } from 'react'
import { api, dataOf } from '../api/client.ts'
import { projectsQuery } from '../projects/queries.ts'
import type { Me } from '../session/me.ts'
import { fieldOf } from '../ui/field-of.ts'
import { Empty } from '../ui/page.tsx'
import { QuietLink, TitleLink } from '../ui/page-link.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'

interface Props {
  workspace: Me['workspaces'][number]
  /** Its name, if the user has a role in it. */
  organisation: string | undefined
}

export function WorkspaceProjects({ workspace, organisation }: Props): ReactNode {
  const w = useWords()
  const [isAdding, { open }] = useDisclosure()
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery(projectsQuery(workspace.id))
  const projects = data?.pages.flatMap((page) => page.data)
  const mayCreate = workspace.capabilities.includes('project:create')
  return (
    <Card withBorder component="section" aria-label={workspace.name}>
      <Group justify="space-between" mb="xs">
        <div>
          <Title order={2}>
            <TitleLink to="/workspaces/$wid" params={{ wid: workspace.id }}>
              <bdi>{workspace.name}</bdi>
            </TitleLink>
          </Title>
          {organisation && (
            <QuietLink to="/organisations/$oid" params={{ oid: workspace.organisation_id }}>
              <bdi>{organisation}</bdi>
            </QuietLink>
          )}
        </div>
        {mayCreate && !isAdding && (
          <Button size="xs" variant="light" onClick={open}>
            {w.home.newProject}
          </Button>
        )}
      </Group>
      {isAdding && <NewProject workspaceId={workspace.id} />}
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!projects && !error && <Skeleton height={80} />}
      {projects?.length === 0 && !isAdding && (
        <Empty title={w.home.noProjects} help={w.home.noProjectsHelp} />
      )}
      <Stack gap={0}>
        {projects?.map((project) => (
          <NavLink
            key={project.id}
            component={Link}
            to="/projects/$pid"
            params={{ pid: project.id } as never}
            label={<bdi>{project.name}</bdi>}
            rightSection={
              <Badge variant="light" color={project.is_open ? 'green' : 'gray'}>
                {project.is_open ? w.home.open : w.home.closed}
              </Badge>
            }
          />
        ))}
      </Stack>
      {hasNextPage && (
        <Button mt="xs" size="xs" variant="subtle" onClick={() => void fetchNextPage()}>
          {w.common.more}
        </Button>
      )}
    </Card>
  )
}

export function NewProject({ workspaceId }: { workspaceId: string }): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (name: string) =>
      dataOf(
        api.POST('/api/v2/workspaces/{wid}/projects', {
          params: { path: { wid: workspaceId } },
          body: { name },
        }),
      ),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: projectsQuery(workspaceId).queryKey })
      await navigate({ to: '/projects/$pid', params: { pid: id } })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate(fieldOf(event.currentTarget, 'name').trim())
  }
  return (
    <form onSubmit={submit}>
      <Group align="end" mb="sm">
        <TextInput name="name" label={w.home.projectName} required maxLength={200} flex={1} autoFocus />
        <Button type="submit" loading={isPending}>
          {w.home.create}
        </Button>
      </Group>
      {error && <ProblemNote error={error} />}
    </form>
  )
}
