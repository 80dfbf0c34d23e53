import { Button, Skeleton, Stack, Table, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { isProblem } from '../api/problem.ts'
import classes from '../conversations/rows.module.css'
import { RouteProblem } from '../shell/route-problem.tsx'
import { Empty, Page } from '../ui/page.tsx'
import { SentenceLink } from '../ui/page-link.tsx'
import { Time } from '../ui/time.tsx'
import { useWords } from '../words/words.tsx'
import { NewWebhook } from './form/create.tsx'
import { HealthBadge, titleOf } from './health.tsx'
import { webhooksQuery } from './queries.ts'
import { SecretOnce } from './secret-once.tsx'
import { TierNote } from './tier-note.tsx'

const MAX_WEBHOOKS = 20

export function Webhooks(): ReactNode {
  const w = useWords()
  const { pid } = useParams({ from: '/projects/$pid/webhooks' })
  const { data: all, error, refetch } = useQuery(webhooksQuery(pid))
  const [isAdding, adding] = useDisclosure()
  if (isProblem(error, 'tier_required')) return <TierNote projectId={pid} />
  if (error && !all) return <RouteProblem error={error} reset={() => void refetch()} />
  const isFull = all !== undefined && all.length >= MAX_WEBHOOKS
  const add = !isAdding && all && !isFull && <Button onClick={adding.open}>{w.webhooks.create}</Button>
  return (
    <Page title={w.webhooks.title} actions={all && all.length > 0 && add}>
      <Text size="sm" c="dimmed" mt="-md">
        {isFull ? w.webhooks.full(MAX_WEBHOOKS) : w.webhooks.intro}{' '}
        <SentenceLink to="/projects/$pid/webhooks/events" params={{ pid }}>
          {w.webhooks.allEvents}
        </SentenceLink>
      </Text>
      {isAdding && <Adding projectId={pid} onCancel={adding.close} />}
      {!all && <Skeleton height={200} />}
      {all?.length === 0 && !isAdding && (
        <Empty title={w.webhooks.none} help={w.webhooks.noneHelp}>
          {add}
        </Empty>
      )}
      {all && all.length > 0 && <Rows webhooks={all} />}
    </Page>
  )
}

/** A generated secret is shown before the page of the webhook opens: it is never shown again. */
function Adding({ projectId, onCancel }: { projectId: string; onCancel: () => void }): ReactNode {
  const navigate = useNavigate()
  const [created, setCreated] = useState<Schemas['CreatedWebhook'] | null>(null)
  const open = (id: string) =>
    void navigate({ to: '/projects/$pid/webhooks/$id', params: { pid: projectId, id } })
  if (created?.secret) return <SecretOnce secret={created.secret} onDone={() => open(created.id)} />
  return (
    <NewWebhook
      projectId={projectId}
      onCancel={onCancel}
      onCreated={(webhook) => (webhook.secret ? setCreated(webhook) : open(webhook.id))}
    />
  )
}

function Rows({ webhooks }: { webhooks: Schemas['Webhook'][] }): ReactNode {
  const w = useWords()
  const { columns } = w.webhooks
  return (
    <Table highlightOnHover verticalSpacing="sm" className={classes['table']}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{columns.webhook}</Table.Th>
          <Table.Th w={{ base: 125, sm: 210 }}>{columns.health}</Table.Th>
          <Table.Th w={190} visibleFrom="sm">
            {columns.last}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {webhooks.map((webhook) => (
          <Row key={webhook.id} webhook={webhook} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Row({ webhook }: { webhook: Schemas['Webhook'] }): ReactNode {
  const w = useWords()
  const { id, project_id, url, events, has_secret, health } = webhook
  const { state, last_attempt_at, last_status, consecutive_failures, missed } = health
  const notes = [
    ...(state === 'failing' ? [w.webhooks.failuresInRow(consecutive_failures)] : []),
    ...(missed > 0 ? [w.webhooks.missed(missed)] : []),
    ...(has_secret ? [] : [w.webhooks.unsigned]),
  ]
  return (
    <Table.Tr className={classes['row']}>
      <Table.Td>
        <Link
          to="/projects/$pid/webhooks/$id"
          params={{ pid: project_id, id }}
          className={classes['link']}
          dir="auto"
        >
          {titleOf(webhook)}
        </Link>
        <Text size="sm" c="dimmed" truncate title={url}>
          {url}
        </Text>
        <Text size="xs" c="dimmed" lineClamp={1}>
          {events.map((event) => w.webhooks.eventNames[event]).join(' · ')}
        </Text>
      </Table.Td>
      <Table.Td>
        <Stack gap={4} align="start">
          <HealthBadge health={health} />
          {notes.length > 0 && (
            <Text size="xs" c="dimmed">
              {notes.join(' · ')}
            </Text>
          )}
        </Stack>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        {last_attempt_at ? (
          <>
            <Time at={last_attempt_at} />
            {last_status && (
              <Text size="xs" c="dimmed">
                HTTP {last_status}
              </Text>
            )}
          </>
        ) : (
          <Text size="sm" c="dimmed">
            {w.webhooks.never}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
