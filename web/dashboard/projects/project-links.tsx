import { Divider, NavLink, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.tsx'
import { projectQuery } from './queries.ts'

/** The pages of the project that is open. */
export function ProjectLinks({ projectId, path }: { projectId: string; path: string }): ReactNode {
  const w = useWords()
  const { data } = useQuery(projectQuery(projectId))
  const base = `/projects/${projectId}`
  return (
    <>
      <Divider my="sm" />
      <Text size="sm" fw={600} px="sm" mb={4} truncate>
        <bdi>{data?.record.name}</bdi>
      </Text>
      <NavLink component={Link} to={base} label={w.shell.overview} active={path === base} />
      <NavLink
        component={Link}
        to={`${base}/conversations`}
        label={w.shell.conversations}
        active={path.startsWith(`${base}/conversations`)}
      />
    </>
  )
}
