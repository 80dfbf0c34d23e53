import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf, versionOf } from '../api/client.ts'

export const projectsQuery = (wid: string) =>
  infiniteQueryOptions({
    queryKey: ['workspaces', wid, 'projects'],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/api/v2/workspaces/{wid}/projects', {
          params: { path: { wid }, query: { limit: 50, ...(pageParam && { cursor: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

export const projectQuery = (pid: string) =>
  queryOptions({
    queryKey: ['projects', pid],
    queryFn: ({ signal }) =>
      versionOf(api.GET('/api/v2/projects/{pid}', { params: { path: { pid } }, signal })),
  })
