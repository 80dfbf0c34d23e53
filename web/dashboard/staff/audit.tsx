import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { AuditFilterBar } from '../audit/audit-filters.tsx'
import { AuditRows } from '../audit/audit-rows.tsx'
import { readAuditFilters } from '../audit/filters.ts'
import { meQuery } from '../session/me.ts'
import { useWords } from '../words/words.tsx'
import { allOrganisationsQuery, allWorkspacesQuery, serviceAuditQuery } from './queries.ts'
import { StaffList } from './staff-list.tsx'
import { StaffPage } from './staff-page.tsx'

const FROM = '/staff/audit'

export function StaffAudit(): ReactNode {
  const w = useWords()
  const filters = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const { data: me } = useQuery(meQuery)
  const { data: organisations, isPending: lacksOrganisations } = useInfiniteQuery(allOrganisationsQuery)
  const { data: workspaces, isPending: lacksWorkspaces } = useInfiniteQuery(allWorkspacesQuery({}))
  const list = useInfiniteQuery(serviceAuditQuery(filters))
  const pages = [...(organisations?.pages ?? []), ...(workspaces?.pages ?? [])]
  const names = pages.flatMap((page) => page.data.map(({ id, name }) => [id, name] as const))
  const entries = list.data?.pages.flatMap((page) => page.data) ?? []
  const known = entries.flatMap((one) => (one.actor_name ? [[one.actor_id, one.actor_name] as const] : []))
  const actors = new Map([...known, ...(me ? [[me.user.id, w.members.you] as const] : [])])
  const isFiltered = Object.keys(filters).length > 0
  return (
    <StaffPage title={w.staff.audit}>
      <AuditFilterBar
        filters={filters}
        actors={[...actors].map(([value, label]) => ({ value, label }))}
        workspaces={null}
        onChange={(changed) =>
          void navigate({ search: readAuditFilters({ ...filters, ...changed }), replace: true })
        }
      />
      {/* Rows whose names come later would grow. */}
      <StaffList
        list={lacksOrganisations || lacksWorkspaces ? { ...list, data: undefined } : list}
        isFiltered={isFiltered}
      >
        {(entries) => (
          <AuditRows
            entries={entries}
            isFiltered={isFiltered}
            names={new Map([...names, ...(me ? [[me.user.id, me.user.name ?? w.members.you] as const] : [])])}
          />
        )}
      </StaffList>
    </StaffPage>
  )
}
