import { Card, Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { MoreButton } from '../ui/more-button.tsx'
import { Empty } from '../ui/page.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'

interface List<T> {
  data: { pages: { data: T[] }[] } | undefined
  error: Error | null
  refetch(): unknown
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage(): unknown
}

interface Props<T> {
  list: List<T>
  isFiltered?: boolean
  children: (entries: T[]) => ReactNode
}

/** A list with its states: loading, failed, empty, and more to load. */
export function StaffList<T>({ list, isFiltered = false, children }: Props<T>): ReactNode {
  const w = useWords()
  const { data, error, refetch } = list
  const all = data?.pages.flatMap((page) => page.data)
  return (
    <Card withBorder>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!all && !error && <Skeleton height={320} />}
      {all?.length === 0 &&
        (isFiltered ? (
          <Empty title={w.staff.noMatch} help={w.staff.noMatchHelp} />
        ) : (
          <Empty title={w.staff.none} help={w.staff.noneHelp} />
        ))}
      {all && all.length > 0 && children(all)}
      <MoreButton list={list} />
    </Card>
  )
}
