import { Badge, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { Empty } from '../ui/page.tsx'
import { clock, Time } from '../ui/time.tsx'
import { useWords } from '../words/words.tsx'
import classes from './rows.module.css'

type Conversation = Schemas['Conversation']

const COLORS: Record<Conversation['status'], string> = {
  recording: 'green',
  transcribing: 'blue',
  summarizing: 'blue',
  done: 'gray',
  failed: 'red',
}

export function StatusBadge({ status }: { status: Conversation['status'] }): ReactNode {
  const w = useWords()
  return (
    <Badge variant={status === 'done' ? 'outline' : 'light'} color={COLORS[status]}>
      {w.conversations.statuses[status]}
    </Badge>
  )
}

/** On a phone, only what a row is about and its state remain. */
export function ConversationRows(props: { conversations: Conversation[]; isFiltered: boolean }): ReactNode {
  const w = useWords()
  const { columns } = w.conversations
  if (props.conversations.length === 0)
    return props.isFiltered ? (
      <Empty title={w.conversations.noMatch} help={w.conversations.noMatchHelp} />
    ) : (
      <Empty title={w.conversations.none} help={w.conversations.noneHelp} />
    )
  return (
    <Table highlightOnHover verticalSpacing="sm" className={classes['table']}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{columns.conversation}</Table.Th>
          <Table.Th w={130}>{columns.status}</Table.Th>
          <Table.Th w={90} ta="end" visibleFrom="sm">
            {columns.length}
          </Table.Th>
          <Table.Th w={150} visibleFrom="sm">
            {columns.started}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {props.conversations.map((conversation) => (
          <Row key={conversation.id} conversation={conversation} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Row({ conversation }: { conversation: Conversation }): ReactNode {
  const w = useWords()
  const { id, project_id, title, participant_name, tags, status, duration_seconds, started_at } = conversation
  return (
    <Table.Tr className={classes['row']}>
      <Table.Td>
        <Link
          to="/projects/$pid/conversations/$cid"
          params={{ pid: project_id, cid: id }}
          className={classes['link']}
          dir="auto"
        >
          {title ?? w.common.untitled}
        </Link>
        <Text size="sm" c="dimmed" lineClamp={1}>
          <bdi>{participant_name ?? w.conversations.anonymous}</bdi>
          {tags.map((tag) => (
            <span key={tag}>
              {' · '}
              <bdi>{tag}</bdi>
            </span>
          ))}
        </Text>
      </Table.Td>
      <Table.Td>
        <StatusBadge status={status} />
      </Table.Td>
      <Table.Td ta="end" visibleFrom="sm" className={classes['number']}>
        {duration_seconds > 0 ? clock(duration_seconds) : '–'}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Time at={started_at} />
      </Table.Td>
    </Table.Tr>
  )
}
