import { Button, Group, Select, Skeleton, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { projectQuery } from '../projects/queries.ts'
import { RouteProblem } from '../shell/route-problem.tsx'
import { Page } from '../ui/page.tsx'
import { useWords } from '../words/words.tsx'
import { type Filters, readFilters, SOURCES, STATUSES } from './filters.ts'
import { conversationsQuery } from './queries.ts'
import { ConversationRows } from './rows.tsx'

const FROM = '/projects/$pid/conversations'
const TYPING_MS = 300

export function Conversations(): ReactNode {
  const w = useWords()
  const { pid } = useParams({ from: FROM })
  const filters = useSearch({ from: FROM })
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    conversationsQuery(pid, filters),
  )
  const all = data?.pages.flatMap((page) => page.data)
  if (error && !data) return <RouteProblem error={error} reset={() => void refetch()} />
  return (
    <Page title={w.conversations.title}>
      <FilterBar projectId={pid} filters={filters} />
      {!all && <Skeleton height={320} />}
      {all && <ConversationRows conversations={all} isFiltered={Object.keys(filters).length > 0} />}
      {all && all.length > 0 && (
        <Group justify="space-between">
          <Text size="sm" c="dimmed" role="status">
            {w.conversations.loaded(all.length)}
            {hasNextPage && '+'}
          </Text>
          {hasNextPage && (
            <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {w.common.more}
            </Button>
          )}
        </Group>
      )}
    </Page>
  )
}

function FilterBar({ projectId, filters }: { projectId: string; filters: Filters }): ReactNode {
  const w = useWords()
  const navigate = useNavigate({ from: FROM })
  const { data: project } = useQuery(projectQuery(projectId))
  const set = (
    changed: Record<keyof Filters, string | null> | Partial<Record<keyof Filters, string | null>>,
  ) => void navigate({ search: readFilters({ ...filters, ...changed }), replace: true })
  const search = useDebouncedCallback((q: string) => set({ q }), TYPING_MS)
  const tags = project?.record.tags ?? []
  return (
    <Group gap="xs" align="end">
      <TextInput
        type="search"
        aria-label={w.conversations.search}
        placeholder={w.conversations.search}
        defaultValue={filters.q ?? ''}
        onChange={({ currentTarget }) => search(currentTarget.value)}
        flex="1 1 16rem"
      />
      <Select
        aria-label={w.conversations.status}
        placeholder={w.conversations.anyStatus}
        clearable
        value={filters.status ?? null}
        onChange={(status) => set({ status })}
        data={STATUSES.map((value) => ({ value, label: w.conversations.statuses[value] }))}
        w={160}
      />
      <Select
        aria-label={w.conversations.source}
        placeholder={w.conversations.anySource}
        clearable
        value={filters.source ?? null}
        onChange={(source) => set({ source })}
        data={SOURCES.map((value) => ({ value, label: w.conversations.sources[value] }))}
        w={150}
      />
      {tags.length > 0 && (
        <Select
          aria-label={w.conversations.tag}
          placeholder={w.conversations.tag}
          clearable
          value={filters.tag ?? null}
          onChange={(tag) => set({ tag })}
          data={tags}
          w={150}
        />
      )}
    </Group>
  )
}
