import { ActionIcon, Menu, Table, Text, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { SelectFilter } from '../ui/filter-fields.tsx'
import { RowLink } from '../ui/page-link.tsx'
import { Time } from '../ui/time.tsx'
import { HealthBadge } from '../webhooks/health.tsx'
import { useWords } from '../words/words.tsx'
import { HEALTH_STATES, readWebhookFilters } from './filters.ts'
import { allWebhooksQuery } from './queries.ts'
import classes from './staff.module.css'
import { StaffList } from './staff-list.tsx'
import { StaffPage } from './staff-page.tsx'
import { WithReason } from './with-reason.tsx'

type Webhook = Schemas['Webhook']
const FROM = '/staff/webhooks'

export function StaffWebhooks(): ReactNode {
  const w = useWords()
  const [disabling, setDisabling] = useState<Webhook | null>(null)
  const filters = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  return (
    <StaffPage title={w.staff.webhooks}>
      <SelectFilter
        label={w.staff.health}
        any={w.staff.anyState}
        value={filters.state}
        onChange={(state) => void navigate({ search: readWebhookFilters({ state }), replace: true })}
        data={HEALTH_STATES.map((value) => ({ value, label: w.webhooks.states[value] }))}
        w={170}
      />
      <StaffList
        list={useInfiniteQuery({ ...allWebhooksQuery(filters), refetchInterval: 10_000 })}
        isFiltered={filters.state !== undefined}
      >
        {(all) => <Rows all={all} onDisable={setDisabling} />}
      </StaffList>
      {disabling && <Disable webhook={disabling} onClose={() => setDisabling(null)} />}
    </StaffPage>
  )
}

function Rows({ all, onDisable }: { all: Webhook[]; onDisable: (webhook: Webhook) => void }): ReactNode {
  const w = useWords()
  const { columns } = w.staff
  return (
    <Table className={classes['table']} verticalSpacing="xs" horizontalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{columns.webhook}</Table.Th>
          <Table.Th w={{ base: 112, sm: 210 }}>{columns.state}</Table.Th>
          <Table.Th w={165} visibleFrom="sm">
            {columns.deliveries}
          </Table.Th>
          <Table.Th w={44}>
            <VisuallyHidden>{w.staff.actions}</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {all.map((webhook) => (
          <Row key={webhook.id} webhook={webhook} onDisable={() => onDisable(webhook)} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Row({ webhook, onDisable }: { webhook: Webhook; onDisable: () => void }): ReactNode {
  const w = useWords()
  const { id, project_id, name, url, enabled, health } = webhook
  return (
    <Table.Tr>
      <Table.Td className={classes['text']}>
        <RowLink to="/projects/$pid/webhooks/$id" params={{ pid: project_id, id }}>
          <bdi>{name ?? url}</bdi>
        </RowLink>
        {name && (
          <Text size="sm" c="dimmed">
            <bdi>{url}</bdi>
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <HealthBadge health={health} />
        {enabled && health.consecutive_failures > 0 && (
          <Text size="xs" c="dimmed">
            {w.staff.failures(health.consecutive_failures)}
          </Text>
        )}
        {health.disabled_reason && (
          <Text size="xs" c="dimmed">
            {w.staff.disabledBy[health.disabled_reason]}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        {health.last_attempt_at ? <Time at={health.last_attempt_at} /> : '–'}
        {health.last_status !== null && (
          <Text size="xs" c="dimmed">
            HTTP {health.last_status}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="end">
        {enabled && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={w.staff.actionsOf(name ?? url)}>
                ⋯
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item color="red" onClick={onDisable}>
                {w.staff.disable}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

function Disable({ webhook, onClose }: { webhook: Webhook; onClose: () => void }): ReactNode {
  const w = useWords()
  return (
    <WithReason
      title={w.staff.disableTitle}
      isReady
      color="red"
      action={w.staff.disable}
      apply={(reason) =>
        dataOf(
          api.POST('/api/v2/admin/webhooks/{id}/disable', {
            params: { path: { id: webhook.id } },
            body: { reason },
          }),
        )
      }
      onClose={onClose}
    >
      <Text size="sm" className={classes['text']}>
        <bdi>{webhook.url}</bdi>
      </Text>
      <Text size="sm" c="dimmed">
        {w.staff.disableHelp}
      </Text>
    </WithReason>
  )
}
