import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Schemas, versionOf } from '../api/client.ts'
import type { Filters } from './filters.ts'

const PAGE = 50
/** While something still changes by itself. */
const REFRESH_MS = 4_000

export const conversationsQuery = (pid: string, filters: Filters) =>
  infiniteQueryOptions({
    queryKey: ['projects', pid, 'conversations', filters],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/api/v2/projects/{pid}/conversations', {
          params: {
            path: { pid },
            query: { ...filters, limit: PAGE, ...(pageParam && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

export const conversationQuery = (cid: string) =>
  queryOptions({
    queryKey: ['conversations', cid],
    queryFn: ({ signal }) =>
      versionOf(api.GET('/api/v2/conversations/{cid}', { params: { path: { cid } }, signal })),
    refetchInterval: ({ state }) => (isFinal(state.data?.record.status) ? false : REFRESH_MS),
  })

const isFinal = (status: string | undefined): boolean =>
  status === undefined || status === 'done' || status === 'failed'

/** What was said, written and is missing, in the order of time. Changes while the conversation runs. */
export const transcriptQuery = (cid: string, revision: string) =>
  queryOptions({
    queryKey: ['conversations', cid, 'transcript', revision],
    queryFn: async ({ signal }) => {
      const pending = api.GET('/api/v2/conversations/{cid}/transcript', {
        params: { path: { cid }, query: { format: 'json' } },
        signal,
      })
      // The other formats are text.
      return (await dataOf(pending)) as Schemas['Transcript']
    },
    placeholderData: (before) => before,
  })
