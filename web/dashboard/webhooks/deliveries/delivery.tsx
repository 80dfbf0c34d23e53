import {
  Accordion,
  Alert,
  Button,
  Card,
  Grid,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
  Timeline,
  Title,
} from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { api, dataOf, type Schemas } from '../../api/client.ts'
import { isProblem } from '../../api/problem.ts'
import { RouteProblem } from '../../shell/route-problem.tsx'
import { Page } from '../../ui/page.tsx'
import { TextLink } from '../../ui/page-link.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Time } from '../../ui/time.tsx'
import { useWords } from '../../words/words.tsx'
import { CodeBlock, pretty } from '../guide/code-block.tsx'
import { titleOf } from '../health.tsx'
import { deliveryQuery, newestDeliveriesKey, type WebhookPath, webhookQuery } from '../queries.ts'
import { TierNote } from '../tier-note.tsx'
import classes from './attempt.module.css'
import { AttemptDetails } from './attempt.tsx'
import { DeliveryFacts } from './delivery-facts.tsx'
import { DeliveryStatus } from './delivery-status.tsx'

type DeliveryRecord = Schemas['DeliveryDetail']
const FROM = '/projects/$pid/webhooks/$id/deliveries/$did'

export function Delivery(): ReactNode {
  const w = useWords()
  const { did, ...path } = useParams({ from: FROM })
  const { data: delivery, error, refetch } = useQuery(deliveryQuery(path, did))
  const { data: webhook } = useQuery(webhookQuery(path))
  if (isProblem(error, 'tier_required')) return <TierNote projectId={path.pid} />
  if (error && !delivery) return <RouteProblem error={error} reset={() => void refetch()} />
  if (!delivery) return <Skeleton height={400} />
  return (
    <Page
      title={w.webhooks.eventNames[delivery.event] ?? delivery.event}
      above={
        <TextLink to="/projects/$pid/webhooks/$id" params={path}>
          {webhook ? titleOf(webhook.record) : w.deliveries.title}
        </TextLink>
      }
      actions={
        <>
          <DeliveryStatus status={delivery.status} />
          {delivery.kind !== 'test' && delivery.payload !== null && <Resend path={path} deliveryId={did} />}
        </>
      }
    >
      {delivery.status === 'missed' && <Alert color="orange">{w.deliveries.missedHelp}</Alert>}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }} order={{ base: 2, md: 1 }}>
          <Stack>
            <Attempts delivery={delivery} />
            <Payload payload={delivery.payload} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }} order={{ base: 1, md: 2 }}>
          <DeliveryFacts projectId={path.pid} delivery={delivery} />
        </Grid.Col>
      </Grid>
    </Page>
  )
}

function Resend({ path, deliveryId }: { path: WebhookPath; deliveryId: string }): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/api/projects/{pid}/webhooks/{id}/deliveries/{did}/resend', {
          params: { path: { ...path, did: deliveryId } },
        }),
      ),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: newestDeliveriesKey(path) })
      await navigate({ to: FROM, params: { ...path, did: id } })
    },
  })
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={isPending}
        onClick={() => mutate()}
        title={w.deliveries.resendHelp}
      >
        {w.deliveries.resend}
      </Button>
      {error && <ProblemNote error={error} />}
    </>
  )
}

/** The newest first: it is the one that has to be understood. */
function Attempts({ delivery }: { delivery: DeliveryRecord }): ReactNode {
  const w = useWords()
  const { attempt_log, next_attempt_at, status } = delivery
  const isOpen = status === 'pending' || status === 'delivering'
  return (
    <Card withBorder component="section" aria-labelledby="attempts">
      <Title order={2} id="attempts" mb="md">
        {w.deliveries.attempts(attempt_log.length)}
      </Title>
      {attempt_log.length === 0 && !isOpen && <Text size="sm">{w.deliveries.noAttempts}</Text>}
      <Timeline bulletSize={16} lineWidth={2} active={attempt_log.length}>
        {isOpen && next_attempt_at && (
          <Timeline.Item color="blue" lineVariant="dashed" title={w.deliveries.nextAttempt}>
            <Text size="sm" c="dimmed">
              {Date.parse(next_attempt_at) > Date.now() ? (
                <Time at={next_attempt_at} hasSeconds />
              ) : (
                w.deliveries.dueNow
              )}
            </Text>
          </Timeline.Item>
        )}
        {attempt_log.toReversed().map((attempt, index) => (
          <Timeline.Item
            key={attempt.number}
            color={attempt.error === null ? 'green' : 'red'}
            title={
              <Text component="h3" fw={600} fz="md" m={0}>
                {w.deliveries.attempt(attempt.number)}
                {attempt.status !== null && ` · ${attempt.status}`}
                {attempt.duration_ms !== null && ` · ${w.deliveries.duration(attempt.duration_ms)}`}
              </Text>
            }
          >
            <Text size="sm" c="dimmed" mb={4}>
              <Time at={attempt.at} hasSeconds />
            </Text>
            {index === 0 ? (
              <AttemptDetails attempt={attempt} isOpen={attempt.error !== null} />
            ) : (
              <EarlierAttempt attempt={attempt} />
            )}
          </Timeline.Item>
        ))}
      </Timeline>
    </Card>
  )
}

/** Closed: ten failures of the same kind would hide the payload below them. */
function EarlierAttempt({ attempt }: { attempt: Schemas['Attempt'] }): ReactNode {
  const w = useWords()
  return (
    <Accordion order={4}>
      <Accordion.Item value="details" className={classes['earlier']}>
        <Accordion.Control px={0}>{w.deliveries.attemptDetails}</Accordion.Control>
        <Accordion.Panel>
          <AttemptDetails attempt={attempt} />
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}

function Payload({ payload }: { payload: string | null }): ReactNode {
  const w = useWords()
  const [form, setForm] = useState<'formatted' | 'raw'>('formatted')
  return (
    <Card withBorder component="section" aria-labelledby="payload">
      <Title order={2} id="payload" mb="sm">
        {w.deliveries.payload}
      </Title>
      {payload === null ? (
        <Text size="sm">{w.deliveries.payloadErased}</Text>
      ) : (
        <>
          <SegmentedControl
            size="xs"
            mb="xs"
            w="fit-content"
            aria-label={w.deliveries.payload}
            value={form}
            onChange={(value) => setForm(value === 'raw' ? 'raw' : 'formatted')}
            data={(['formatted', 'raw'] as const).map((value) => ({ value, label: w.deliveries[value] }))}
          />
          <CodeBlock label={w.deliveries.payload} text={form === 'raw' ? payload : pretty(payload)} />
        </>
      )}
    </Card>
  )
}
