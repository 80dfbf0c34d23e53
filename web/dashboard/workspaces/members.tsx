import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Members } from '../members/members.tsx'
import { rolesBelow } from '../members/roles.tsx'
import { useOrganisationAccess, useWorkspaceAccess } from '../session/access.ts'
import { meQuery } from '../session/me.ts'
import { RouteProblem } from '../shell/route-problem.tsx'
import { TextLink } from '../ui/page-link.tsx'
import { workspaceQuery } from './queries.ts'

/** Owners and admins of the organisation add and remove members; only those of the workspace change roles. */
export function WorkspaceMembers(): ReactNode {
  const { wid } = useParams({ from: '/workspaces/$wid/members' })
  const { data: me } = useQuery(meQuery)
  const { data, error, refetch } = useQuery(workspaceQuery(wid))
  const may = useWorkspaceAccess(wid)
  const inOrganisation = useOrganisationAccess(data?.record.organisation_id)
  if (error && !data) return <RouteProblem error={error} reset={() => void refetch()} />
  if (!data || !me) return <Skeleton height={320} />
  const { name } = data.record
  return (
    <Members
      scope={{ kind: 'workspace', id: wid, name }}
      above={
        <TextLink to="/workspaces/$wid" params={{ wid }}>
          <bdi>{name}</bdi>
        </TextLink>
      }
      rights={{
        roles: rolesBelow(me.staff ? ['owner'] : [may.role, inOrganisation.role]),
        mayChangeRoles: may.has('workspace:members'),
      }}
    />
  )
}
