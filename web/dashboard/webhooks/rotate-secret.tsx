import { Alert, Badge, Button, Card, Group, Modal, Select, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { TimeIn } from '../ui/time.tsx'
import { useWords } from '../words/words.tsx'
import { Confirm } from './confirm.tsx'
import { isAboutFields, type SecretChoice, secretError } from './form/draft.ts'
import { SecretField } from './form/fields.tsx'
import { webhooksKey } from './queries.ts'
import { SecretOnce } from './secret-once.tsx'

const OVERLAPS = ['0', '3600', '86400', '604800'] as const
type Overlap = (typeof OVERLAPS)[number]
const SECRETS = ['generate', 'type'] as const

/** A new secret, with a time in which both sign; or none any more. */
export function RotateSecret({ webhook }: { webhook: Schemas['Webhook'] }): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const { id, project_id: pid, has_secret, secret_strength } = webhook
  const [choice, setChoice] = useState<SecretChoice>({ kind: 'generate' })
  const [overlap, setOverlap] = useState<Overlap>('86400')
  const [isAsking, asking] = useDisclosure()
  const onSettled = () => client.invalidateQueries({ queryKey: webhooksKey(pid) })
  const rotate = useMutation({
    mutationFn: (body: Schemas['RotateWebhookSecretRequest']) =>
      dataOf(
        api.POST('/api/projects/{pid}/webhooks/{id}/rotate-secret', { params: { path: { pid, id } }, body }),
      ),
    onSettled,
  })
  const remove = useMutation({
    mutationFn: () =>
      dataOf(
        api.PATCH('/api/projects/{pid}/webhooks/{id}', {
          params: { path: { pid, id } },
          body: { secret: null },
        }),
      ),
    onSuccess: asking.close,
    onSettled,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (choice.kind === 'type' && secretError(choice.value, w.webhooks.form.errors)) return
    rotate.mutate({
      ...(choice.kind === 'type' && { secret: choice.value }),
      overlap_seconds: has_secret ? Number(overlap) : 0,
    })
  }
  if (rotate.data?.secret)
    return (
      <SecretOnce secret={rotate.data.secret} onDone={rotate.reset}>
        <Rotated validUntil={rotate.data.previous_valid_until} />
      </SecretOnce>
    )
  return (
    <Card withBorder component="section" aria-labelledby="rotate">
      <Group mb={4} justify="space-between">
        <Title order={2} id="rotate">
          {has_secret ? w.webhooks.rotate : w.webhooks.form.secret}
        </Title>
        {!has_secret && <Badge color="gray">{w.webhooks.unsigned}</Badge>}
        {secret_strength === 'weak' && <Badge color="orange">{w.webhooks.weak}</Badge>}
      </Group>
      <Text size="sm" c="dimmed" mb="md">
        {has_secret ? w.webhooks.rotateHelp : w.webhooks.rotateUnsigned}
      </Text>
      {rotate.data && <Rotated validUntil={rotate.data.previous_valid_until} />}
      <form onSubmit={submit}>
        <Stack>
          <SecretField
            choice={choice}
            kinds={SECRETS}
            onChange={setChoice}
            error={rotate.error}
            isSubmitted={false}
          />
          {has_secret && (
            <Select
              label={w.webhooks.overlap}
              allowDeselect={false}
              value={overlap}
              onChange={(value) => setOverlap(OVERLAPS.find((one) => one === value) ?? '86400')}
              data={OVERLAPS.map((value) => ({ value, label: w.webhooks.overlaps[value] }))}
            />
          )}
          {rotate.error && !isAboutFields(rotate.error, ['secret']) && <ProblemNote error={rotate.error} />}
          <Group justify="end">
            {has_secret && (
              <Button variant="subtle" color="red" onClick={asking.open}>
                {w.webhooks.form.removeSecret}
              </Button>
            )}
            <Button type="submit" variant="default" loading={rotate.isPending}>
              {has_secret ? w.webhooks.rotateNow : w.common.save}
            </Button>
          </Group>
        </Stack>
      </form>
      <Modal opened={isAsking} onClose={asking.close} title={w.webhooks.form.removeSecretTitle}>
        <Confirm
          help={w.webhooks.form.removeSecretHelp}
          action={w.webhooks.form.removeSecret}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onCancel={asking.close}
        />
      </Modal>
    </Card>
  )
}

function Rotated({ validUntil }: { validUntil: string | null }): ReactNode {
  const w = useWords()
  return (
    <Alert color="green" mb="md" role="status">
      {w.webhooks.rotated}{' '}
      {validUntil ? <TimeIn text={w.webhooks.oldValidUntil} at={validUntil} /> : w.webhooks.oldEnded}
    </Alert>
  )
}
