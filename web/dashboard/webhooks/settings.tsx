import { Button, Card, Grid, Group, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { api, dataOf, type Schemas, type Versioned } from '../api/client.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'
import { type Draft, draftOf, isAboutFields, urlError } from './form/draft.ts'
import { WebhookFields } from './form/fields.tsx'
import { webhooksKey } from './queries.ts'
import { RotateSecret } from './rotate-secret.tsx'

type Record = Versioned<Schemas['Webhook']>

export function Settings({ webhook }: { webhook: Record }): ReactNode {
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Edit webhook={webhook} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <RotateSecret webhook={webhook.record} />
      </Grid.Col>
    </Grid>
  )
}

function Edit({ webhook: { record, etag } }: { webhook: Record }): ReactNode {
  const w = useWords()
  const { form, tabs } = w.webhooks
  const client = useQueryClient()
  /** Null: as it is stored. The version is the one that the user saw when the change began. */
  const [edit, setEdit] = useState<{ draft: Draft; etag: string | null } | null>(null)
  const { mutate, isPending, isSuccess, error, reset } = useMutation({
    mutationFn: ({ draft, version }: { draft: Draft; version: string | null }) =>
      dataOf(
        api.PATCH('/api/projects/{pid}/webhooks/{id}', {
          params: { path: { pid: record.project_id, id: record.id } },
          body: { ...draft, name: draft.name.trim() || null },
          headers: { ...(version && { 'If-Match': version }) },
        }),
      ),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: webhooksKey(record.project_id) })
      setEdit(null)
    },
    onError: async () => {
      // After a conflict the user saves again over the new version, having been told.
      await client.invalidateQueries({ queryKey: webhooksKey(record.project_id) })
      setEdit((before) => before && { ...before, etag: null })
    },
  })
  const draft = edit?.draft ?? draftOf(record)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!edit || urlError(draft.url, form.errors) || draft.events.length === 0) return
    mutate({ draft, version: edit.etag ?? etag })
  }
  const change = (changed: Draft) => {
    if (isSuccess) reset()
    setEdit({ draft: changed, etag: edit ? edit.etag : etag })
  }
  const discard = () => {
    reset()
    setEdit(null)
  }
  return (
    <Card withBorder component="section" aria-labelledby="settings">
      <Title order={2} id="settings" mb="md">
        {tabs.settings}
      </Title>
      <form onSubmit={submit} noValidate>
        <Stack>
          <WebhookFields draft={draft} onChange={change} error={error} isSubmitted={edit !== null} />
          {error && !isAboutFields(error, ['url', 'events', 'name']) && <ProblemNote error={error} />}
          <Group justify="end">
            {isSuccess && !edit && (
              <Text size="sm" c="dimmed" role="status">
                {form.saved}
              </Text>
            )}
            {edit && (
              <Button variant="default" onClick={discard}>
                {form.discard}
              </Button>
            )}
            <Button type="submit" loading={isPending} disabled={!edit}>
              {form.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  )
}
