import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Schemas, versionOf } from '../api/client.ts'
import { isProblem } from '../api/problem.ts'
import { type Filters, queryOf } from './filters.ts'

const PAGE = 100
/** Each record of a search has a passage, which the API has to look for. */
const FOUND_PAGE = 50
/** How often a conversation is read while the server still processes it. */
const REFRESH_MS = 4_000
const LIST_REFRESH_MS = 15_000
/** More pages than this are not refreshed automatically: 100,000 rows would be 1,000 requests. */
const MAX_REFRESHED_PAGES = 3

const canRefresh = (loaded: { pages: unknown[] } | undefined): boolean =>
  loaded !== undefined && loaded.pages.length <= MAX_REFRESHED_PAGES

export const conversationsQuery = (pid: string, filters: Filters) =>
  infiniteQueryOptions({
    queryKey: ['projects', pid, 'conversations', filters],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/api/v2/projects/{pid}/conversations', {
          params: {
            path: { pid },
            query: {
              ...queryOf(filters),
              limit: filters.q ? FOUND_PAGE : PAGE,
              ...(pageParam && { cursor: pageParam }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchOnMount: ({ state }) => canRefresh(state.data) || state.data === undefined,
    refetchOnWindowFocus: ({ state }) => canRefresh(state.data),
    refetchInterval: ({ state }) => (canRefresh(state.data) ? LIST_REFRESH_MS : false),
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

/** Speech, typed text and gaps, in the order of time. Changes while the conversation runs. */
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

const PEAKS_RETRY_MS = 3_000
const MAX_PEAKS_RETRIES = 200

/** The loudness over time. A long recording is measured when it is first asked for, which takes up to some minutes. */
export const peaksQuery = (cid: string, enabled: boolean) =>
  queryOptions({
    queryKey: ['conversations', cid, 'peaks'],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v2/conversations/{cid}/peaks', { params: { path: { cid } }, signal })),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    retry: (failures, error) => isProblem(error, 'not_ready_yet') && failures < MAX_PEAKS_RETRIES,
    retryDelay: PEAKS_RETRY_MS,
  })

export const speakersQuery = (cid: string, version: string) =>
  queryOptions({
    queryKey: ['conversations', cid, 'speakers', version],
    queryFn: ({ signal }) =>
      versionOf(api.GET('/api/v2/conversations/{cid}/speakers', { params: { path: { cid } }, signal })),
    placeholderData: (before) => before,
  })

/** Grows with what changes a transcript. */
export const transcriptVersion = ({
  status,
  revision,
  duration_seconds,
  transcript_model,
}: Schemas['ConversationInFull']): string => [status, revision, duration_seconds, transcript_model].join()
