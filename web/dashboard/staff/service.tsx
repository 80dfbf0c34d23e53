import { Card, SimpleGrid, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ProblemNote } from '../ui/problem-note.tsx'
import { ByTier, ConversationFigures } from '../usage/figures.tsx'
import { bytes } from '../usage/format.ts'
import { Meter } from '../usage/meter.tsx'
import { useWords } from '../words/words.tsx'
import { serviceUsageQuery } from './queries.ts'
import { StaffPage } from './staff-page.tsx'

export function Service(): ReactNode {
  const w = useWords()
  const { data: usage, error, refetch } = useQuery(serviceUsageQuery)
  return (
    <StaffPage title={w.staff.overview}>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!usage && !error && <Skeleton height={200} />}
      {usage && (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Card withBorder>
            <Meter label={w.usage.organisations} value={usage.organisations} />
            <Meter label={w.usage.workspaces} value={usage.workspaces} />
            <Meter
              label={w.usage.projects}
              note={w.usage.openProjects(usage.open_projects)}
              value={usage.projects}
            />
            <ConversationFigures {...usage} />
            <Meter label={w.usage.storage} value={usage.stored_bytes} format={bytes} />
          </Card>
          <Card withBorder>
            <ByTier counts={usage.by_tier} />
          </Card>
        </SimpleGrid>
      )}
    </StaffPage>
  )
}
