import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../api/client.ts'
import { type AuditFilters, toAuditQuery } from '../audit/filters.ts'
import type { JobFilters, WebhookFilters, WorkspaceFilters } from './filters.ts'

const REFRESH_MS = 5_000
const page = (cursor: string) => ({ limit: 50, ...(cursor && { cursor }) })
const paged = {
  initialPageParam: '',
  getNextPageParam: ({ next_cursor }: { next_cursor: string | null }) => next_cursor,
}

export const serviceUsageQuery = queryOptions({
  queryKey: ['staff', 'usage'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/v2/admin/usage', { signal })),
})

export const allOrganisationsQuery = infiniteQueryOptions({
  queryKey: ['staff', 'organisations'],
  queryFn: ({ pageParam, signal }) =>
    dataOf(api.GET('/api/v2/admin/organisations', { params: { query: page(pageParam) }, signal })),
  ...paged,
})

export const allWorkspacesQuery = (filters: WorkspaceFilters) =>
  infiniteQueryOptions({
    queryKey: ['staff', 'workspaces', filters],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/api/v2/admin/workspaces', {
          params: { query: { ...filters, ...page(pageParam) } },
          signal,
        }),
      ),
    ...paged,
  })

export const allWebhooksQuery = (filters: WebhookFilters) =>
  infiniteQueryOptions({
    queryKey: ['staff', 'webhooks', filters],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/api/v2/admin/webhooks', { params: { query: { ...filters, ...page(pageParam) } }, signal }),
      ),
    ...paged,
  })

export const jobsQuery = (filters: JobFilters) =>
  infiniteQueryOptions({
    queryKey: ['staff', 'jobs', filters],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/api/v2/admin/jobs', { params: { query: { ...filters, ...page(pageParam) } }, signal }),
      ),
    refetchInterval: REFRESH_MS,
    ...paged,
  })

export const serviceAuditQuery = (filters: AuditFilters) =>
  infiniteQueryOptions({
    queryKey: ['staff', 'audit', filters],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/api/v2/admin/audit', {
          params: { query: { ...toAuditQuery(filters), ...page(pageParam) } },
          signal,
        }),
      ),
    ...paged,
  })
