import { Badge, NavLink, Skeleton, Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { MoreButton } from '../ui/more-button.tsx'
import { Empty } from '../ui/page.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'
import { NewProject } from './new-project.tsx'
import { projectsQuery } from './queries.ts'

/** The projects of a workspace, with the form for another one while `isAdding`. */
export function ProjectList({
  workspaceId,
  isAdding,
}: {
  workspaceId: string
  isAdding: boolean
}): ReactNode {
  const w = useWords()
  const list = useInfiniteQuery(projectsQuery(workspaceId))
  const { data, error, refetch } = list
  const projects = data?.pages.flatMap((page) => page.data)
  return (
    <>
      {isAdding && <NewProject workspaceId={workspaceId} />}
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
      <MoreButton list={list} />
    </>
  )
}
