import { Skeleton } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { projectQuery } from '../projects/queries.ts'
import { useCapabilities } from '../session/me.ts'
import { RouteProblem } from '../shell/route-problem.tsx'
import { Empty, Page } from '../ui/page.tsx'
import { useWords } from '../words/words.tsx'
import { BulkBar } from './bulk/bulk-bar.tsx'
import { ConversationList } from './conversation-list.tsx'
import { FilterBar } from './filter-bar.tsx'
import { wordsOf } from './find-words.ts'
import { conversationsQuery } from './queries.ts'
import { ChooseFiles, DropZone } from './uploads/choose-files.tsx'
import { UploadPanel } from './uploads/upload-panel.tsx'

const FROM = '/projects/$pid/conversations'

type Listed = Schemas['ListedConversation']

export function Conversations(): ReactNode {
  const w = useWords()
  const { pid } = useParams({ from: FROM })
  const filters = useSearch({ from: FROM })
  const { data: project } = useQuery(projectQuery(pid))
  const may = useCapabilities(project?.record.workspace_id)
  const list = useInfiniteQuery(conversationsQuery(pid, filters))
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetching } = list
  const all = useMemo(() => data?.pages.flatMap((page): Listed[] => page.data), [data])
  const words = useMemo(() => wordsOf(filters.q), [filters.q])
  const [selected, setSelected] = useState<ReadonlyMap<string, string>>(new Map())
  const ids = useMemo(() => new Set(selected.keys()), [selected])
  const { untitled } = w.common
  const onToggle = useCallback(
    (conversations: Listed[], isSelected: boolean) =>
      setSelected((before) => {
        const after = new Map(before)
        for (const { id, title, participant_name } of conversations)
          if (isSelected) after.set(id, title ?? participant_name ?? untitled)
          else after.delete(id)
        return after
      }),
    [untitled],
  )
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage])
  if (error && !data) return <RouteProblem error={error} reset={() => void refetch()} />
  const mayUpload = may.has('conversation:update')
  const isFiltered = Object.keys(filters).length > 0
  return (
    <Page title={w.conversations.title} actions={mayUpload && <ChooseFiles projectId={pid} />}>
      <DropZone projectId={pid} isEnabled={mayUpload}>
        <UploadPanel projectId={pid} />
        <FilterBar
          filters={filters}
          tags={project?.record.tags}
          languages={
            all || filters.language ? languagesOf(all ?? [], project?.record, filters.language) : undefined
          }
        />
        <BulkBar
          projectId={pid}
          selected={selected}
          onSelect={(left) => setSelected(new Map([...selected].filter(([id]) => left.includes(id))))}
          may={may}
          tags={project?.record.tags ?? []}
        />
        {!all && <Skeleton height={320} />}
        {all?.length === 0 && (
          <Empty
            title={isFiltered ? w.conversations.noMatch : w.conversations.none}
            help={isFiltered ? w.conversations.noMatchHelp : w.conversations.noneHelp}
          />
        )}
        {all && all.length > 0 && (
          <ConversationList
            conversations={all}
            hasMore={hasNextPage}
            onEnd={onEnd}
            words={words}
            selected={ids}
            onToggle={onToggle}
          />
        )}
      </DropZone>
    </Page>
  )
}

/** Languages to choose from: the API has no list of those that were spoken. */
function languagesOf(
  conversations: Listed[],
  project: Schemas['Project'] | undefined,
  chosen: string | undefined,
): string[] {
  const known = [chosen, project?.language, ...(project?.languages ?? [])]
  const spoken = conversations.slice(0, 200).map(({ language }) => language)
  return [...new Set([...known, ...spoken])].filter((tag) => tag != null && tag !== 'auto').sort() as string[]
}
