import { Button, Card, Group, Stack, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { api, dataOf, type Schemas } from '../../api/client.ts'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { useWords } from '../../words/words.tsx'
import { webhooksKey } from '../queries.ts'
import { EMPTY, isAboutFields, type SecretChoice, secretError, urlError } from './draft.ts'
import { SecretField, WebhookFields } from './fields.tsx'

interface Props {
  projectId: string
  onCreated: (webhook: Schemas['CreatedWebhook']) => void
  onCancel: () => void
}

const SECRETS = ['generate', 'type', 'none'] as const

export function NewWebhook({ projectId, onCreated, onCancel }: Props): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const [draft, setDraft] = useState(EMPTY)
  const [secret, setSecret] = useState<SecretChoice>({ kind: 'generate' })
  const [isSubmitted, setSubmitted] = useState(false)
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: Schemas['CreateWebhookRequest']) =>
      dataOf(api.POST('/api/projects/{pid}/webhooks', { params: { path: { pid: projectId } }, body })),
    onSuccess: async (webhook) => {
      onCreated(webhook)
      await client.invalidateQueries({ queryKey: webhooksKey(projectId) })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setSubmitted(true)
    const words = w.webhooks.form.errors
    const isWrong =
      urlError(draft.url, words) ||
      draft.events.length === 0 ||
      (secret.kind === 'type' && secretError(secret.value, words))
    if (isWrong) return
    mutate({
      ...draft,
      name: draft.name.trim() || null,
      ...(secret.kind === 'generate' && { generate_secret: true }),
      ...(secret.kind === 'type' && { secret: secret.value }),
    })
  }
  return (
    <Card withBorder maw={720} component="section" aria-labelledby="new-webhook">
      <Title order={2} id="new-webhook" mb="sm">
        {w.webhooks.create}
      </Title>
      <form onSubmit={submit} noValidate>
        <Stack>
          <WebhookFields draft={draft} onChange={setDraft} error={error} isSubmitted={isSubmitted} />
          <SecretField
            choice={secret}
            kinds={SECRETS}
            onChange={setSecret}
            error={error}
            isSubmitted={isSubmitted}
          />
          {error && !isAboutFields(error, ['url', 'events', 'name', 'secret']) && (
            <ProblemNote error={error} />
          )}
          <Group justify="end">
            <Button variant="default" onClick={onCancel}>
              {w.common.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {w.webhooks.form.add}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  )
}
