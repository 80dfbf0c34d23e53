import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf, versionOf } from '../api/client.ts'

export const organisationQuery = (oid: string) =>
  queryOptions({
    queryKey: ['organisations', oid],
    queryFn: ({ signal }) =>
      versionOf(api.GET('/api/v2/organisations/{oid}', { params: { path: { oid } }, signal })),
  })

export const organisationUsageQuery = (oid: string) =>
  queryOptions({
    queryKey: ['usage', oid],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v2/organisations/{oid}/usage', { params: { path: { oid } }, signal })),
  })

export const workspacesQuery = (oid: string) =>
  infiniteQueryOptions({
    queryKey: ['organisations', oid, 'workspaces'],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/api/v2/organisations/{oid}/workspaces', {
          params: { path: { oid }, query: { limit: 200, ...(pageParam && { cursor: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
