import { Alert, Button, Card, Checkbox, Group, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, dataOf } from '../api/client.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { TimeIn } from '../ui/time.tsx'
import { useWords } from '../words/words.tsx'

/** The zip is made while it is downloaded, so the browser's own progress is the true one. */
export function Export({ workspaceId }: { workspaceId: string }): ReactNode {
  const w = useWords()
  const [audio, setAudio] = useState(true)
  const { mutate, isPending, error, data, reset } = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/api/v2/workspaces/{wid}/export', {
          params: { path: { wid: workspaceId } },
          body: { audio },
        }),
      ),
  })
  return (
    <Card withBorder component="section" aria-labelledby="export">
      <Title order={2} id="export">
        {w.workspace.export}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {w.workspace.exportHelp}
      </Text>
      <Group justify="space-between">
        <Checkbox
          label={w.workspace.withAudio}
          checked={audio}
          onChange={({ currentTarget }) => {
            setAudio(currentTarget.checked)
            reset()
          }}
        />
        {!data && (
          <Button variant="default" loading={isPending} onClick={() => mutate()}>
            {w.workspace.prepare}
          </Button>
        )}
      </Group>
      {error && <ProblemNote error={error} />}
      {data && (
        <Alert color="green" title={w.workspace.ready} role="status" mt="sm">
          <Text size="sm" mb="sm">
            <TimeIn text={w.workspace.readyHelp} at={data.expires_at} />
          </Text>
          <Button
            component="a"
            href={`/api/v2/workspaces/${workspaceId}/exports/${data.id}?format=zip`}
            download
          >
            {w.workspace.download}
          </Button>
        </Alert>
      )}
    </Card>
  )
}
