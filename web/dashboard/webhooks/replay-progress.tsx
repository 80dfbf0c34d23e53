import { Button, Card, Group, Progress, Skeleton, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { api, dataOf } from '../api/client.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'
import { replayQuery, type WebhookPath, webhookKey } from './queries.ts'

interface Props {
  path: WebhookPath
  replayId: string
  onHide: () => void
}

/** It is in the address of the page, so that it survives a reload and can be sent to a colleague. */
export function ReplayProgress({ path, replayId, onHide }: Props): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const { data: replay, error, refetch } = useQuery(replayQuery(path, replayId))
  const cancel = useMutation({
    mutationFn: () =>
      dataOf(
        api.DELETE('/api/projects/{pid}/webhooks/{id}/replay/{replay_id}', {
          params: { path: { ...path, replay_id: replayId } },
        }),
      ),
    onSettled: () => refetch(),
  })
  const state = replay?.state
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it ends, the counts of missed deliveries are new.
  useEffect(() => {
    if (state && state !== 'running')
      void client.invalidateQueries({ queryKey: [...webhookKey(path), 'record'] })
  }, [state])
  if (error) return <ProblemNote error={error} retry={() => void refetch()} />
  if (!replay) return <Skeleton height={90} />
  const { total, done, failed } = replay
  const percent = (count: number): number => (total > 0 ? (count / total) * 100 : 0)
  return (
    <Card withBorder component="section" aria-labelledby="replay">
      <Group justify="space-between" mb="xs">
        <Title order={2} id="replay">
          {w.webhooks.replayStates[replay.state]}
        </Title>
        {replay.state === 'running' ? (
          <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            {w.webhooks.replayCancel}
          </Button>
        ) : (
          <Button size="xs" variant="default" onClick={onHide}>
            {w.webhooks.replayHide}
          </Button>
        )}
      </Group>
      {cancel.error && <ProblemNote error={cancel.error} />}
      {total > 0 && (
        <Progress.Root size="lg">
          <Progress.Section
            value={percent(done - failed)}
            color="green"
            aria-label={w.webhooks.replayProgress(done, total)}
          />
          <Progress.Section
            value={percent(failed)}
            color="red"
            aria-label={w.webhooks.replayFailed(failed)}
          />
        </Progress.Root>
      )}
      <Text size="sm" mt={6} role="status">
        {total === 0 && replay.state !== 'running'
          ? w.webhooks.replayNothing
          : w.webhooks.replayProgress(done, total)}
        {failed > 0 && ` · ${w.webhooks.replayFailed(failed)}`}
      </Text>
    </Card>
  )
}
