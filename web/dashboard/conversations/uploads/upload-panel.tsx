import { Button, Card, Group, Progress, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiProblem } from '../../api/problem.ts'
import { RowLink } from '../../ui/page-link.tsx'
import { bytes } from '../../usage/format.ts'
import { useWords } from '../../words/words.tsx'
import type { Interrupted } from './remembered.ts'
import {
  cancelUpload,
  clearFinished,
  retryUpload,
  type Upload,
  useInterrupted,
  useUploads,
} from './upload-store.ts'

/** The files that are on their way. Shown only while there are any. */
export function UploadPanel({ projectId }: { projectId: string }): ReactNode {
  const w = useWords()
  const uploads = useUploads(projectId)
  const interrupted = useInterrupted(projectId)
  if (uploads.length === 0 && interrupted.length === 0) return null
  const done = uploads.filter(({ state }) => state === 'done').length
  return (
    <Card withBorder component="section" aria-labelledby="uploads">
      <Group justify="space-between" mb="xs">
        <Title order={2} id="uploads">
          {w.uploads.title}
        </Title>
        {done > 0 && (
          <Group gap="xs">
            <Text size="sm" c="dimmed" role="status">
              {w.uploads.doneCount(done)}
            </Text>
            <Button size="compact-sm" variant="subtle" onClick={() => clearFinished(projectId)}>
              {w.uploads.clear}
            </Button>
          </Group>
        )}
      </Group>
      <Stack gap="sm">
        {interrupted.map((upload) => (
          <InterruptedRow key={upload.key} upload={upload} />
        ))}
        {uploads.map((upload) => (
          <Row key={upload.key} upload={upload} />
        ))}
      </Stack>
    </Card>
  )
}

function Row({ upload }: { upload: Upload }): ReactNode {
  const w = useWords()
  const { key, projectId, name, size, sent, state, error, conversationId } = upload
  const share = size === 0 ? 0 : (100 * sent) / size
  return (
    <div>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm" fw={550} truncate>
          <bdi>{name}</bdi>
        </Text>
        <Group gap="xs" wrap="nowrap" flex="none">
          {conversationId && (
            <Text size="sm">
              <RowLink
                to="/projects/$pid/conversations/$cid"
                params={{ pid: projectId, cid: conversationId }}
              >
                {w.uploads.open}
              </RowLink>
            </Text>
          )}
          {state === 'failed' && (
            <Button size="compact-sm" variant="default" onClick={() => retryUpload(key)}>
              {w.common.retry}
            </Button>
          )}
          {state !== 'done' && (
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={() => cancelUpload(key)}
              aria-label={state === 'failed' ? w.uploads.remove(name) : w.uploads.cancel(name)}
            >
              {state === 'failed' ? w.uploads.removeShort : w.uploads.cancelShort}
            </Button>
          )}
        </Group>
      </Group>
      <Progress.Root size="sm" my={4}>
        <Progress.Section
          value={share}
          color={state === 'failed' ? 'red' : state === 'waiting' ? 'orange' : 'green'}
          aria-label={w.uploads.progress(name)}
        />
      </Progress.Root>
      <Text size="xs" c="dimmed">
        {w.uploads.states[state]}
        {' · '}
        {w.uploads.sent(bytes(sent), bytes(size))}
      </Text>
      {error && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {error instanceof ApiProblem ? error.message : w.problems.unexpected}
        </Text>
      )}
    </div>
  )
}

function InterruptedRow({ upload: { key, name } }: { upload: Interrupted }): ReactNode {
  const w = useWords()
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap">
      <div>
        <Text size="sm" fw={550}>
          <bdi>{name}</bdi>
        </Text>
        <Text size="xs" c="dimmed">
          {w.uploads.interrupted}
        </Text>
      </div>
      <Button size="compact-sm" variant="subtle" onClick={() => cancelUpload(key)}>
        {w.uploads.forget}
      </Button>
    </Group>
  )
}
