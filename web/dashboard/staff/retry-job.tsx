import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { useWords } from '../words/words.tsx'
import { WithReason } from './with-reason.tsx'

interface Props {
  job: Schemas['Job']
  onClose: () => void
}

export function RetryJob({ job, onClose }: Props): ReactNode {
  const w = useWords()
  return (
    <WithReason
      title={w.staff.retryTitle(w.staff.kinds[job.kind])}
      isReady
      action={w.staff.retry}
      apply={(reason) =>
        dataOf(
          api.POST('/api/v2/admin/jobs/{jid}/retry', { params: { path: { jid: job.id } }, body: { reason } }),
        )
      }
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {w.staff.retryHelp}
      </Text>
    </WithReason>
  )
}
