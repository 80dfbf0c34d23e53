import { Alert, Badge, Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { TimeIn } from '../ui/time.tsx'
import { useWords } from '../words/words.tsx'

type WebhookRecord = Schemas['Webhook']

const COLORS = { new: 'gray', ok: 'green', failing: 'red', disabled: 'gray' }

export function HealthBadge({ health: { state } }: { health: WebhookRecord['health'] }): ReactNode {
  const w = useWords()
  return (
    <Badge variant={state === 'new' || state === 'disabled' ? 'outline' : 'light'} color={COLORS[state]}>
      {w.webhooks.states[state]}
    </Badge>
  )
}

/** Its name, or the host that it sends to. */
export const titleOf = ({ name, url }: Pick<WebhookRecord, 'name' | 'url'>): string =>
  name ?? new URL(url).host

/** Each problem of the webhook, and how to solve it. */
export function HealthNotes({
  webhook,
  onReplay,
}: {
  webhook: WebhookRecord
  onReplay: () => void
}): ReactNode {
  const w = useWords()
  const { health, has_secret, secret_strength } = webhook
  const { state, disabled_reason, consecutive_failures, missed, last_status, last_success_at } = health
  return (
    <>
      {state === 'disabled' && (
        <Alert color="gray" title={w.webhooks.states.disabled}>
          {w.webhooks.reasons[disabled_reason ?? 'manual']}
        </Alert>
      )}
      {state === 'failing' && (
        <Alert color="red" title={w.webhooks.failingTitle(consecutive_failures)}>
          <Text size="sm" fw={550} mb={4}>
            {last_status === null ? w.deliveries.noResponse : w.webhooks.lastResponse(last_status)}
            {last_success_at && (
              <>
                {' · '}
                <TimeIn text={w.webhooks.lastSuccess} at={last_success_at} />
              </>
            )}
          </Text>
          {w.webhooks.failingHelp}
        </Alert>
      )}
      {missed > 0 && (
        <Alert color="orange" title={w.webhooks.missedTitle(missed)}>
          <Group justify="space-between" gap="xs">
            <Text size="sm">{w.webhooks.missedHelp}</Text>
            {webhook.enabled && (
              <Button size="xs" variant="default" onClick={onReplay}>
                {w.webhooks.replay}
              </Button>
            )}
          </Group>
        </Alert>
      )}
      {(!has_secret || secret_strength === 'weak') && (
        <Text size="sm" c="dimmed">
          {has_secret ? w.webhooks.weakHelp : w.webhooks.unsignedHelp}
        </Text>
      )}
    </>
  )
}
