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

const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
const STATISTICS_REFRESH_MS = 30_000

/** Days begin in the reader's zone. */
export const statisticsQuery = (pid: string) =>
  queryOptions({
    queryKey: ['projects', pid, 'statistics'],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/v2/projects/{pid}/statistics', {
          params: { path: { pid }, query: { time_zone: timeZone() } },
          signal,
        }),
      ),
    refetchInterval: STATISTICS_REFRESH_MS,
  })

/** The record of the recording page, which also names the organisation. */
export const portalQuery = (pid: string) =>
  queryOptions({
    queryKey: ['projects', pid, 'portal'],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/participant/projects/{pid}', { params: { path: { pid } }, signal })),
  })

export const consentTextsQuery = (pid: string) =>
  infiniteQueryOptions({
    queryKey: ['projects', pid, 'consent-texts'],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/api/v2/projects/{pid}/consent-texts', {
          params: { path: { pid }, query: { limit: 10, ...(pageParam && { cursor: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

export const changesQuery = (pid: string) =>
  queryOptions({
    queryKey: ['projects', pid, 'changes'],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/v2/projects/{pid}/changes', {
          params: { path: { pid }, query: { limit: 20 } },
          signal,
        }),
      ),
  })

export const retentionQuery = (pid: string, days: number) =>
  queryOptions({
    queryKey: ['projects', pid, 'retention', days],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/v2/projects/{pid}/retention', { params: { path: { pid }, query: { days } }, signal }),
      ),
  })

export const projectQuery = (pid: string) =>
  queryOptions({
    queryKey: ['projects', pid],
    queryFn: ({ signal }) =>
      versionOf(api.GET('/api/v2/projects/{pid}', { params: { path: { pid } }, signal })),
  })
