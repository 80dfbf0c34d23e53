import { Alert, Button, Checkbox, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'
import { fieldError, isAboutFields } from './form/draft.ts'

const KINDS = ['undelivered', 'failed', 'missed', 'all'] as const
type Kind = (typeof KINDS)[number]
const DAY_MS = 86_400_000
const DEFAULT_DAYS = 7

interface Props {
  webhook: Schemas['Webhook']
  onStarted: (replayId: string) => void
}

export function NewReplay({ webhook, onStarted }: Props): ReactNode {
  const w = useWords()
  const { id, project_id: pid, enabled } = webhook
  const [kind, setKind] = useState<Kind>('undelivered')
  const [since, setSince] = useState(() => localTime(Date.now() - DEFAULT_DAYS * DAY_MS))
  const [until, setUntil] = useState('')
  const [events, setEvents] = useState<Schemas['Webhook']['events']>(webhook.events)
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: Schemas['StartReplayRequest']) =>
      dataOf(api.POST('/api/projects/{pid}/webhooks/{id}/replay', { params: { path: { pid, id } }, body })),
    onSuccess: (started) => onStarted(started.id),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate({
      since: new Date(since).toISOString(),
      ...(until && { until: new Date(until).toISOString() }),
      ...(kind !== 'undelivered' && { only: kind }),
      ...(events.length < webhook.events.length && { events }),
    })
  }
  if (!enabled) return <Alert color="orange">{w.webhooks.replayDisabled}</Alert>
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm" c="dimmed">
          {w.webhooks.replayHelp}
        </Text>
        <Select
          label={w.webhooks.replayOnly}
          description={kind === 'all' ? w.webhooks.replayAllHelp : undefined}
          allowDeselect={false}
          value={kind}
          onChange={(value) => setKind(KINDS.find((one) => one === value) ?? 'undelivered')}
          data={KINDS.map((value) => ({ value, label: w.webhooks.replayKinds[value] }))}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            type="datetime-local"
            label={w.webhooks.since}
            required
            value={since}
            onChange={({ currentTarget }) => setSince(currentTarget.value)}
            error={fieldError(error, 'since')}
          />
          <TextInput
            type="datetime-local"
            label={w.webhooks.until}
            description={w.webhooks.untilHelp}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            min={since}
            value={until}
            onChange={({ currentTarget }) => setUntil(currentTarget.value)}
            error={fieldError(error, 'until')}
          />
        </SimpleGrid>
        {webhook.events.length > 1 && (
          <Checkbox.Group
            label={w.webhooks.form.events}
            value={events}
            onChange={(chosen) => setEvents(webhook.events.filter((event) => chosen.includes(event)))}
            error={events.length === 0 && w.webhooks.form.errors.events}
          >
            <Stack gap={6} mt={4}>
              {webhook.events.map((event) => (
                <Checkbox key={event} value={event} label={w.webhooks.eventNames[event]} />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
        {error && !isAboutFields(error, ['since', 'until']) && <ProblemNote error={error} />}
        <Group justify="end">
          <Button type="submit" loading={isPending} disabled={events.length === 0}>
            {w.webhooks.replayStart}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** As the field of the browser wants it: in the reader's zone, without seconds. */
function localTime(ms: number): string {
  const offset = new Date(ms).getTimezoneOffset() * 60_000
  return new Date(ms - offset).toISOString().slice(0, 16)
}
