import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isProblem } from '../api/problem.ts'
import { RouteProblem } from '../shell/route-problem.tsx'
import { projectQuery } from './queries.ts'

/** Without access to the project, an old link leads to a page that says so, not to the project's pages with empty parts. */
export function ProjectGate({ projectId, children }: { projectId: string; children: ReactNode }): ReactNode {
  const { data, error, refetch } = useQuery(projectQuery(projectId))
  const isRefused = isProblem(error, 'capability_required') || isProblem(error, 'not_found')
  if (isRefused && !data) return <RouteProblem error={error} reset={() => void refetch()} />
  return children
}
