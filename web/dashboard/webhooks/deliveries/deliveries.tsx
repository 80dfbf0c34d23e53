import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import type { Schemas } from '../../api/client.ts'
import { SelectFilter } from '../../ui/filter-fields.tsx'
import { Empty } from '../../ui/page.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { useWords } from '../../words/words.tsx'
import { deliveriesQuery, newestDeliveriesQuery, type WebhookPath } from '../queries.ts'
import {
  DELIVERY_STATUSES,
  type DeliveryFilters,
  EVENTS,
  filtersOf,
  readWebhookSearch,
  TIMES,
  type WebhookSearch,
} from '../search.ts'
import classes from './deliveries.module.css'
import { DeliveryList } from './delivery-list.tsx'

type Delivery = Schemas['Delivery']

/** The log of a webhook. New deliveries and changes of the newest appear without being asked for. */
export function Deliveries({ path, search }: { path: WebhookPath; search: WebhookSearch }): ReactNode {
  const w = useWords()
  const filters = filtersOf(search)
  const pages = useInfiniteQuery(deliveriesQuery(path, filters))
  const newest = useQuery(newestDeliveriesQuery(path, filters, pages))
  const all =
    pages.data &&
    merge(
      newest.data?.data ?? [],
      pages.data.pages.flatMap(({ data }) => data),
    )
  const hasGap =
    newest.data?.next_cursor != null && pages.data !== undefined && !touches(newest.data.data, pages.data)
  const { refetch } = pages
  // More deliveries than one page were created since the last reading.
  useEffect(() => {
    if (hasGap) void refetch()
  }, [hasGap, refetch])
  const isBroken = (pages.data ? newest : pages).failureCount > 0
  const isFiltered = Object.keys(filters).length > 0
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="end">
        <Filters search={search} />
        <Text
          size="sm"
          c="dimmed"
          role="status"
          className={classes['live']}
          data-broken={isBroken || undefined}
        >
          {isBroken ? w.deliveries.reconnecting : w.deliveries.live}
        </Text>
      </Group>
      {pages.error && <ProblemNote error={pages.error} retry={() => void pages.refetch()} />}
      {!all && !pages.error && <Skeleton height={320} />}
      {all?.length === 0 && (
        <Empty
          title={isFiltered ? w.deliveries.noMatch : w.deliveries.none}
          help={isFiltered ? w.deliveries.noMatchHelp : w.deliveries.noneHelp}
        />
      )}
      {all && all.length > 0 && (
        <DeliveryList
          path={path}
          deliveries={all}
          hasMore={pages.hasNextPage}
          onEnd={() => pages.hasNextPage && !pages.isFetching && void pages.fetchNextPage()}
        />
      )}
    </Stack>
  )
}

const touches = (newest: Delivery[], { pages }: { pages: { data: Delivery[] }[] }): boolean =>
  (newest.at(-1)?.id ?? '') <= (pages[0]?.data[0]?.id ?? '')

/** Newest first; the newer reading of a delivery wins. Ids grow with time. */
function merge(newest: Delivery[], older: Delivery[]): Delivery[] {
  const known = new Set(newest.map(({ id }) => id))
  return [...newest, ...older.filter(({ id }) => !known.has(id))].sort((one, other) =>
    one.id < other.id ? 1 : -1,
  )
}

function Filters({ search }: { search: WebhookSearch }): ReactNode {
  const w = useWords()
  const navigate = useNavigate({ from: '/projects/$pid/webhooks/$id' })
  const filters = filtersOf(search)
  const set = (changed: Partial<Record<keyof DeliveryFilters, string | null>>) =>
    void navigate({ search: readWebhookSearch({ ...search, ...changed }), replace: true })
  return (
    <Group gap="xs">
      <SelectFilter
        label={w.deliveries.status}
        any={w.deliveries.anyStatus}
        value={filters.status}
        onChange={(status) => set({ status })}
        data={DELIVERY_STATUSES.map((value) => ({ value, label: w.deliveries.statuses[value] }))}
        w={150}
      />
      <SelectFilter
        label={w.deliveries.event}
        any={w.deliveries.anyEvent}
        value={filters.event}
        onChange={(event) => set({ event })}
        data={[...EVENTS, 'webhook.test'].map((value) => ({
          value,
          label: w.webhooks.eventNames[value] ?? value,
        }))}
        w={210}
      />
      <SelectFilter
        label={w.deliveries.time}
        any={w.deliveries.anyTime}
        value={filters.time}
        onChange={(time) => set({ time })}
        data={TIMES.map((value) => ({ value, label: w.deliveries.times[value] }))}
        w={160}
      />
      {Object.keys(filters).length > 0 && (
        <Button variant="subtle" size="xs" onClick={() => set({ status: null, event: null, time: null })}>
          {w.deliveries.clear}
        </Button>
      )}
    </Group>
  )
}
