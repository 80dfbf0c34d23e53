import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Empty, Page } from '../ui/page.tsx'
import { useWords } from '../words/words.tsx'

export function NotFound(): ReactNode {
  const w = useWords()
  return (
    <Page title={w.problems.notFoundTitle}>
      <Empty help={w.problems.notFound}>
        <Anchor href="/">{w.problems.home}</Anchor>
      </Empty>
    </Page>
  )
}
