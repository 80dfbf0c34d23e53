import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api/client.ts'

const REFRESH_MS = 2_000

const isRunning = (report: Schemas['Report'] | undefined): boolean => report?.status === 'generating'

export const reportsQuery = (pid: string) =>
  infiniteQueryOptions({
    queryKey: ['projects', pid, 'reports'],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/api/v2/projects/{pid}/reports', {
          params: { path: { pid }, query: { limit: 50, ...(pageParam && { cursor: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(isRunning)) ? REFRESH_MS : false,
  })

/** A version never changes, unless a conversation is withdrawn. */
export const documentQuery = (rid: string, version: number) =>
  queryOptions({
    queryKey: ['reports', rid, 'document', version],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/v2/reports/{rid}/document', { params: { path: { rid }, query: { version } }, signal }),
      ),
  })

export const versionsQuery = (rid: string) =>
  infiniteQueryOptions({
    queryKey: ['reports', rid, 'versions'],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/api/v2/reports/{rid}/versions', {
          params: { path: { rid }, query: { limit: 20, ...(pageParam && { cursor: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

export const reportQuery = (rid: string) =>
  queryOptions({
    queryKey: ['reports', rid],
    queryFn: async ({ signal }) => {
      const pending = api.GET('/api/v2/reports/{rid}', { params: { path: { rid } }, signal })
      // The other formats are text.
      return (await dataOf(pending)) as Schemas['Report']
    },
    refetchInterval: ({ state }) => (isRunning(state.data) ? REFRESH_MS : false),
  })
