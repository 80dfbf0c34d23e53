import { Alert, Button, Group, Select, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'
import { AttemptDetails } from './deliveries/attempt.tsx'
import { deliveryQuery, newestDeliveriesKey, type WebhookPath } from './queries.ts'

/** Sends one request now, and shows all of it. */
export function TestDelivery({ webhook }: { webhook: Schemas['Webhook'] }): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const { id, project_id: pid, events } = webhook
  const path = { pid, id }
  const [event, setEvent] = useState(events[0])
  const { mutate, data, isPending, error } = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/api/projects/{pid}/webhooks/{id}/test', {
          params: { path },
          body: { ...(event && { event }) },
        }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: newestDeliveriesKey(path) }),
  })
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {w.webhooks.testHelp}
      </Text>
      <Group align="end">
        <Select
          label={w.webhooks.testEvent}
          allowDeselect={false}
          value={event ?? null}
          onChange={(value) => setEvent(events.find((one) => one === value))}
          data={events.map((value) => ({ value, label: w.webhooks.eventNames[value] ?? value }))}
          flex={1}
        />
        <Button loading={isPending} onClick={() => mutate()} data-autofocus>
          {data ? w.webhooks.testAgain : w.webhooks.testSend}
        </Button>
      </Group>
      {error && <ProblemNote error={error} retry={() => mutate()} />}
      {data && !error && <Outcome path={path} result={data} />}
    </Stack>
  )
}

function Outcome({ path, result }: { path: WebhookPath; result: Schemas['WebhookTestResult'] }): ReactNode {
  const w = useWords()
  const { success, status_code, duration_ms, error, delivery_id } = result
  const { data: delivery, error: failure, refetch } = useQuery(deliveryQuery(path, delivery_id))
  const attempt = delivery?.attempt_log[0]
  return (
    <Stack gap="sm">
      <Alert
        role="status"
        color={success ? 'green' : 'red'}
        title={status_code === null ? w.webhooks.testFailed : w.webhooks.testOk(status_code, duration_ms)}
      >
        {status_code === null && error && w.deliveries.errors[error]}
      </Alert>
      {failure && <ProblemNote error={failure} retry={() => void refetch()} />}
      {!attempt && !failure && <Skeleton height={120} />}
      {attempt && delivery && <AttemptDetails attempt={attempt} payload={delivery.payload} />}
    </Stack>
  )
}
