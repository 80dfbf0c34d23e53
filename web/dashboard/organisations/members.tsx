import { Skeleton } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Members } from '../members/members.tsx'
import { rolesBelow } from '../members/roles.tsx'
import { useOrganisationAccess } from '../session/access.ts'
import { meQuery } from '../session/me.ts'
import { RouteProblem } from '../shell/route-problem.tsx'
import { TextLink } from '../ui/page-link.tsx'
import { organisationQuery, workspacesQuery } from './queries.ts'

export function OrganisationMembers(): ReactNode {
  const { oid } = useParams({ from: '/organisations/$oid/members' })
  const { data: me } = useQuery(meQuery)
  const { data, error, refetch } = useQuery(organisationQuery(oid))
  const { data: workspaces } = useInfiniteQuery(workspacesQuery(oid))
  const may = useOrganisationAccess(oid)
  if (error && !data) return <RouteProblem error={error} reset={() => void refetch()} />
  if (!data || !me) return <Skeleton height={320} />
  const { name } = data.record
  return (
    <Members
      scope={{ kind: 'organisation', id: oid, name }}
      above={
        <TextLink to="/organisations/$oid" params={{ oid }}>
          <bdi>{name}</bdi>
        </TextLink>
      }
      rights={{
        roles: rolesBelow(me.staff ? ['owner'] : [may.role]),
        mayChangeRoles: may.has('organisation:members'),
      }}
      workspaces={new Map(workspaces?.pages.flatMap((page) => page.data.map((one) => [one.id, one.name])))}
    />
  )
}
