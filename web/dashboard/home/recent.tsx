import { Badge, Card, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { StatusBadge } from '../conversations/rows.tsx'
import { Empty } from '../ui/page.tsx'
import { RowLink } from '../ui/page-link.tsx'
import { Time } from '../ui/time.tsx'
import { useWords } from '../words/words.tsx'
import classes from './home.module.css'

type Activity = Schemas['Activity']

const MAX_SHOWN = 8

/** The newest conversations and reports of all workspaces, in one list. */
export function Recent({ activity }: { activity: Activity }): ReactNode {
  const { activity: words } = useWords()
  const entries = [
    ...activity.conversations.map((one) => ({ at: one.started_at, entry: <Talk key={one.id} talk={one} /> })),
    ...activity.reports.map((one) => ({ at: one.created_at, entry: <Paper key={one.id} report={one} /> })),
  ]
    .sort((one, other) => other.at.localeCompare(one.at))
    .slice(0, MAX_SHOWN)
  return (
    <Card withBorder component="section" aria-labelledby="recent">
      <Title order={2} id="recent" mb="xs">
        {words.recent}
      </Title>
      {entries.length === 0 ? (
        <Empty title={words.none} help={words.noneHelp} />
      ) : (
        <Stack component="ul" gap="sm" className={classes['list']}>
          {entries.map(({ entry }) => entry)}
        </Stack>
      )}
    </Card>
  )
}

function Talk({ talk }: { talk: Activity['conversations'][number] }): ReactNode {
  const w = useWords()
  const { id, project_id, project_name, title, participant_name, status, started_at } = talk
  return (
    <Entry
      at={started_at}
      project={project_name}
      badge={status !== 'done' && <StatusBadge status={status} />}
    >
      <RowLink to="/projects/$pid/conversations/$cid" params={{ pid: project_id, cid: id }} dir="auto">
        {title ?? participant_name ?? w.conversations.anonymous}
      </RowLink>
    </Entry>
  )
}

function Paper({ report }: { report: Activity['reports'][number] }): ReactNode {
  const w = useWords()
  const { id, project_id, project_name, title, published, created_at } = report
  return (
    <Entry
      at={created_at}
      project={project_name}
      badge={
        <Badge variant="light" color="blue">
          {published ? w.activity.published : w.activity.report}
        </Badge>
      }
    >
      <RowLink to="/projects/$pid/reports/$rid" params={{ pid: project_id, rid: id }} dir="auto">
        {title ?? w.common.untitled}
      </RowLink>
    </Entry>
  )
}

const Entry = (props: { at: string; project: string; badge: ReactNode; children: ReactNode }): ReactNode => (
  <li>
    <Group justify="space-between" gap="xs" wrap="nowrap" align="baseline">
      <Text component="div" size="sm" className={classes['what']}>
        {props.children}
      </Text>
      {props.badge}
    </Group>
    <Text size="xs" c="dimmed">
      <bdi>{props.project}</bdi> · <Time at={props.at} />
    </Text>
  </li>
)
