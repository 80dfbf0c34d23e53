import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../api/client.ts'

const REFRESH_MS = 30_000

export const activityQuery = queryOptions({
  queryKey: ['me', 'activity'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/v2/me/activity', { signal })),
  refetchInterval: REFRESH_MS,
})
