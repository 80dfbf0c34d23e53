import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.tsx'

interface List {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage(): unknown
}

/** Loads the next page of a list, if there is one. */
export function MoreButton({ list }: { list: List }): ReactNode {
  const w = useWords()
  if (!list.hasNextPage) return null
  return (
    <Button
      mt="xs"
      size="xs"
      variant="default"
      loading={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      {w.common.more}
    </Button>
  )
}
