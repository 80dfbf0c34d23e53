import { queryOptions } from '@tanstack/react-query'
import { api, dataOf, versionOf } from '../api/client.ts'

export const workspaceQuery = (wid: string) =>
  queryOptions({
    queryKey: ['workspaces', wid],
    queryFn: ({ signal }) =>
      versionOf(api.GET('/api/v2/workspaces/{wid}', { params: { path: { wid } }, signal })),
  })

export const workspaceUsageQuery = (wid: string) =>
  queryOptions({
    queryKey: ['usage', wid],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v2/workspaces/{wid}/usage', { params: { path: { wid } }, signal })),
  })
