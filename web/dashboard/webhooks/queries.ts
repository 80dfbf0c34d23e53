import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Schemas, versionOf } from '../api/client.ts'
import type { DeliveryFilters, WebhookSearch } from './search.ts'

const HEALTH_REFRESH_MS = 10_000
const REFRESH_MS = 3_000
const STATISTICS_REFRESH_MS = 60_000
const PAGE = 100
const HOUR_MS = 3_600_000
const SPAN_MS = { '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 7 * 24 * HOUR_MS }

export interface WebhookPath {
  pid: string
  id: string
}

export const webhooksKey = (pid: string) => ['projects', pid, 'webhooks'] as const
export const webhookKey = ({ pid, id }: WebhookPath) => [...webhooksKey(pid), id] as const
const deliveriesKey = (path: WebhookPath) => [...webhookKey(path), 'deliveries'] as const
/** Under any filter. */
export const newestDeliveriesKey = (path: WebhookPath) => [...deliveriesKey(path), 'newest'] as const

export const webhooksQuery = (pid: string) =>
  queryOptions({
    queryKey: [...webhooksKey(pid), 'all'],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/projects/{pid}/webhooks', { params: { path: { pid } }, signal })),
    refetchInterval: HEALTH_REFRESH_MS,
  })

export const webhookQuery = (path: WebhookPath) =>
  queryOptions({
    queryKey: [...webhookKey(path), 'record'],
    queryFn: ({ signal }) =>
      versionOf(api.GET('/api/projects/{pid}/webhooks/{id}', { params: { path }, signal })),
    refetchInterval: HEALTH_REFRESH_MS,
  })

const readDeliveries = (
  path: WebhookPath,
  { time, ...others }: DeliveryFilters,
  cursor: string,
  signal: AbortSignal,
) =>
  dataOf(
    api.GET('/api/projects/{pid}/webhooks/{id}/deliveries', {
      params: {
        path,
        query: {
          ...others,
          ...(time && { since: new Date(Date.now() - SPAN_MS[time]).toISOString() }),
          limit: PAGE,
          ...(cursor && { cursor }),
        },
      },
      signal,
    }),
  )

const isFinished = (delivery: Schemas['Delivery'] | undefined): boolean =>
  delivery !== undefined && delivery.finished_at !== null

/** More pages than this are not read again: 10,000 rows would be 100 requests. */
const MAX_REFRESHED_PAGES = 5

interface LoadedPages {
  pages: { data: Schemas['Delivery'][] }[]
}

const canRefresh = (loaded: LoadedPages | undefined): boolean =>
  loaded !== undefined && loaded.pages.length <= MAX_REFRESHED_PAGES

/** The first page changes in the query of the newest. */
const hasOpenDeliveries = ({ pages }: LoadedPages): boolean =>
  pages.slice(1).some(({ data }) => !data.every(isFinished))

/** The pages that were scrolled to. */
export const deliveriesQuery = (path: WebhookPath, filters: DeliveryFilters) =>
  infiniteQueryOptions({
    queryKey: [...deliveriesKey(path), 'pages', filters],
    queryFn: ({ pageParam, signal }) => readDeliveries(path, filters, pageParam, signal),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: ({ state }) => (canRefresh(state.data) ? 'always' : false),
    refetchInterval: ({ state }) =>
      state.data && canRefresh(state.data) && hasOpenDeliveries(state.data) ? HEALTH_REFRESH_MS : false,
  })

type DeliveryPage = Awaited<ReturnType<typeof readDeliveries>>

/**
 * The newest deliveries, which change while they are sent. They begin with the first page of the list: a second request for the same
 * page would render every row twice.
 */
export const newestDeliveriesQuery = (
  path: WebhookPath,
  filters: DeliveryFilters,
  { data, dataUpdatedAt }: { data: { pages: DeliveryPage[] } | undefined; dataUpdatedAt: number },
) =>
  queryOptions({
    queryKey: [...newestDeliveriesKey(path), filters],
    queryFn: ({ signal }) => readDeliveries(path, filters, '', signal),
    enabled: data !== undefined,
    initialData: data?.pages[0],
    initialDataUpdatedAt: dataUpdatedAt,
    refetchInterval: REFRESH_MS,
  })

export const deliveryQuery = (path: WebhookPath, did: string) =>
  queryOptions({
    queryKey: [...deliveriesKey(path), 'one', did],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/projects/{pid}/webhooks/{id}/deliveries/{did}', {
          params: { path: { ...path, did } },
          signal,
        }),
      ),
    refetchInterval: ({ state }) => (isFinished(state.data) ? false : REFRESH_MS),
  })

/** Days begin in the reader's zone. */
export const statisticsQuery = (path: WebhookPath, range: NonNullable<WebhookSearch['range']>) =>
  queryOptions({
    queryKey: [...deliveriesKey(path), 'statistics', range],
    queryFn: ({ signal }) => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
      return dataOf(
        api.GET('/api/projects/{pid}/webhooks/{id}/statistics', {
          params: { path, query: { range, time_zone: timeZone } },
          signal,
        }),
      )
    },
    refetchInterval: STATISTICS_REFRESH_MS,
    placeholderData: (before) => before,
  })

export const guideQuery = (path: WebhookPath) =>
  queryOptions({
    queryKey: [...webhookKey(path), 'guide'],
    queryFn: async ({ signal }) =>
      // The other format is text.
      (await dataOf(
        api.GET('/api/projects/{pid}/webhooks/{id}/copyable', { params: { path }, signal }),
      )) as Schemas['Copyable'],
  })

export const replayQuery = (path: WebhookPath, replayId: string) =>
  queryOptions({
    queryKey: [...webhookKey(path), 'replays', replayId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/projects/{pid}/webhooks/{id}/replay/{replay_id}', {
          params: { path: { ...path, replay_id: replayId } },
          signal,
        }),
      ),
    refetchInterval: ({ state }) => (state.data && state.data.state !== 'running' ? false : REFRESH_MS / 2),
  })
