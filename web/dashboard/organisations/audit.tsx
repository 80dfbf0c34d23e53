import { Card, Skeleton } from '@mantine/core'
import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api, dataOf } from '../api/client.ts'
import { AuditFilterBar } from '../audit/audit-filters.tsx'
import { AuditRows } from '../audit/audit-rows.tsx'
import { type AuditFilters, readAuditFilters, toAuditQuery } from '../audit/filters.ts'
import { nameOf } from '../members/member-rows.tsx'
import { membersQuery } from '../members/queries.ts'
import { RouteProblem } from '../shell/route-problem.tsx'
import { MoreButton } from '../ui/more-button.tsx'
import { Page } from '../ui/page.tsx'
import { TextLink } from '../ui/page-link.tsx'
import { useWords } from '../words/words.tsx'
import { organisationQuery, workspacesQuery } from './queries.ts'

const FROM = '/organisations/$oid/audit'

const auditQuery = (oid: string, filters: AuditFilters) =>
  infiniteQueryOptions({
    queryKey: ['organisations', oid, 'audit', filters],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/api/v2/organisations/{oid}/audit', {
          params: {
            path: { oid },
            query: { ...toAuditQuery(filters), limit: 50, ...(pageParam && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

export function OrganisationAudit(): ReactNode {
  const w = useWords()
  const { oid } = useParams({ from: FROM })
  const filters = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const { data: organisation } = useQuery(organisationQuery(oid))
  const { data: members, isPending: lacksMembers } = useInfiniteQuery(
    membersQuery({ kind: 'organisation', id: oid }),
  )
  const { data: workspaces, isPending: lacksWorkspaces } = useInfiniteQuery(workspacesQuery(oid))
  const list = useInfiniteQuery(auditQuery(oid, filters))
  const { data, error, refetch } = list
  if (error && !data) return <RouteProblem error={error} reset={() => void refetch()} />
  const people = members?.pages.flatMap((page) => page.data) ?? []
  const actors = people.map((one) => ({ value: one.user_id, label: nameOf(one, one.user_id) }))
  const places = workspaces?.pages.flatMap((page) => page.data) ?? []
  const choices = places.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Page
      title={w.audit.title}
      above={
        <TextLink to="/organisations/$oid" params={{ oid }}>
          <bdi>{organisation?.record.name ?? '\u00a0'}</bdi>
        </TextLink>
      }
    >
      <AuditFilterBar
        filters={filters}
        actors={actors}
        workspaces={choices}
        onChange={(changed) =>
          void navigate({ search: readAuditFilters({ ...filters, ...changed }), replace: true })
        }
      />
      <Card withBorder>
        {/* Rows whose names come later would grow. */}
        {data && !lacksMembers && !lacksWorkspaces ? (
          <AuditRows
            entries={data.pages.flatMap((page) => page.data)}
            isFiltered={Object.keys(filters).length > 0}
            names={new Map([...actors, ...choices].map(({ value, label }) => [value, label]))}
          />
        ) : (
          <Skeleton height={320} />
        )}
        <MoreButton list={list} />
      </Card>
    </Page>
  )
}
