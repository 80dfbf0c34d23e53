import { Badge, Group, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { isId } from '../ui/is-id.ts'
import { Empty } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import type { Words } from '../words/en/index.ts'
import { useWords } from '../words/words.tsx'
import classes from './audit.module.css'
import { TargetLink } from './target-link.tsx'

type AuditEntry = Schemas['AuditEntry']

interface Props {
  entries: AuditEntry[]
  isFiltered: boolean
  /** Names of people and workspaces by their ids. */
  names: ReadonlyMap<string, string>
}

export function AuditRows({ entries, isFiltered, names }: Props): ReactNode {
  const w = useWords()
  const { columns } = w.audit
  if (entries.length === 0)
    return isFiltered ? (
      <Empty title={w.audit.noMatch} help={w.audit.noMatchHelp} />
    ) : (
      <Empty title={w.audit.none} help={w.audit.noneHelp} />
    )
  return (
    <Table className={classes['table']} verticalSpacing="xs" horizontalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={165} visibleFrom="sm">
            {columns.at}
          </Table.Th>
          <Table.Th w={180} visibleFrom="sm">
            {columns.actor}
          </Table.Th>
          <Table.Th>{columns.action}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} names={names} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Row({ entry, names }: { entry: AuditEntry; names: Props['names'] }): ReactNode {
  const w = useWords()
  const { actor_id, actor_name } = entry
  const known = names.get(actor_id) ?? actor_name
  const actor = (
    <Group gap={6}>
      {(known !== null || !entry.actor_staff) && (
        <bdi title={actor_id}>{known ?? w.audit.actors[actor_id] ?? shortId(actor_id)}</bdi>
      )}
      {entry.actor_staff && (
        <Badge size="sm" variant="light" color="grape">
          {w.audit.staff}
        </Badge>
      )}
    </Group>
  )
  const about = [
    ...(entry.target_name === null && names.has(entry.target_id) ? [names.get(entry.target_id)] : []),
    ...(entry.workspace_id && entry.workspace_id !== entry.target_id && names.has(entry.workspace_id)
      ? [names.get(entry.workspace_id)]
      : []),
    // Only the log of the whole service knows names of organisations.
    ...(entry.organisation_id && entry.organisation_id !== entry.target_id && names.has(entry.organisation_id)
      ? [names.get(entry.organisation_id)]
      : []),
    ...detailsOf(entry.details, w),
  ]
  return (
    <Table.Tr>
      <Table.Td visibleFrom="sm" className={classes['top']}>
        <Time at={entry.at} />
      </Table.Td>
      <Table.Td visibleFrom="sm" className={classes['top']}>
        {actor}
      </Table.Td>
      <Table.Td className={classes['text']}>
        <Text inherit title={`${entry.action} · ${w.audit.request(entry.request_id)}`}>
          {w.audit.actions[entry.action] ?? entry.action}
        </Text>
        <Group gap={6} fz="sm" hiddenFrom="sm">
          {actor} · <Time at={entry.at} />
        </Group>
        {(entry.target_name !== null || about.length > 0) && (
          <Text size="sm" c="dimmed">
            {entry.target_name !== null && <TargetLink entry={entry} name={entry.target_name} />}
            {entry.target_name !== null && about.length > 0 && ' · '}
            <bdi>{about.join(' · ')}</bdi>
          </Text>
        )}
        {entry.reason && (
          <Text size="sm" c="dimmed" dir="auto">
            {w.audit.reason(entry.reason)}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

/** The last digits of an id are random; the first are its time. */
const shortId = (id: string): string => (id.length > 12 ? `…${id.slice(-8)}` : id)

/** `from` and `to` as one change; ids say nothing to people. */
function detailsOf({ from, to, ...rest }: AuditEntry['details'], w: Words): string[] {
  const names: Record<string, string> = {
    ...w.projectSettings.fields,
    ...w.webhooks.eventNames,
    ...w.staff.kinds,
    ...w.staff.failureCodes,
    ...w.tiers.names,
    ...w.members.roles,
    true: w.audit.yes,
    false: w.audit.no,
  }
  const plain = (value: unknown): string =>
    Array.isArray(value) ? value.map(plain).join(', ') : (names[String(value)] ?? String(value))
  return [
    ...(from !== undefined && to !== undefined ? [`${plain(from)} → ${plain(to)}`] : []),
    ...Object.entries(rest)
      .filter(([, value]) => isReadable(value))
      .map(([name, value]) =>
        w.audit.detail(w.audit.details[name] ?? name.replaceAll('_', ' '), plain(value)),
      ),
  ]
}

const isReadable = (value: unknown): boolean =>
  Array.isArray(value) ? value.every(isReadable) : value !== null && typeof value !== 'object' && !isId(value)
