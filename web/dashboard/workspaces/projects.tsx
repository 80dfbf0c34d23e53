import { Badge, Button, Card, Group, NavLink, Skeleton, Stack, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { NewProject } from '../home/workspace-projects.tsx'
import { projectsQuery } from '../projects/queries.ts'
import { MoreButton } from '../ui/more-button.tsx'
import { Empty } from '../ui/page.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'

export function Projects({ workspaceId, mayCreate }: { workspaceId: string; mayCreate: boolean }): ReactNode {
  const w = useWords()
  const [isAdding, { open }] = useDisclosure()
  const list = useInfiniteQuery(projectsQuery(workspaceId))
  const { data, error, refetch } = list
  const projects = data?.pages.flatMap((page) => page.data)
  return (
    <Card withBorder component="section" aria-labelledby="projects">
      <Group justify="space-between" mb="xs">
        <Title order={2} id="projects">
          {w.workspace.projects}
        </Title>
        {mayCreate && !isAdding && (
          <Button size="xs" variant="light" onClick={open}>
            {w.home.newProject}
          </Button>
        )}
      </Group>
      {isAdding && <NewProject workspaceId={workspaceId} />}
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!projects && !error && <Skeleton height={120} />}
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
      <MoreButton list={list} />
    </Card>
  )
}
