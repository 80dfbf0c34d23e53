import { Card, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { RowLink } from '../ui/page-link.tsx'
import { useWords } from '../words/words.tsx'
import { ExpiredInvitation } from './expired-invitations.tsx'
import classes from './home.module.css'

type Trouble = Schemas['Activity']['attention']

/** Problems, each with a link to the page where it can be repaired. Empty if there are none. */
export function Attention({ attention }: { attention: Trouble }): ReactNode {
  const { activity: words } = useWords()
  const { webhooks, conversations, reports, invitations } = attention
  if (webhooks.length + conversations.length + reports.length + invitations.length === 0) return null
  return (
    <Card withBorder component="section" aria-labelledby="attention" className={classes['attention']}>
      <Title order={2} id="attention" mb="xs">
        {words.attention}
      </Title>
      <ul className={`${classes['list']} ${classes['problems']}`}>
        {webhooks.map((webhook) => (
          <Webhook key={webhook.id} webhook={webhook} />
        ))}
        {conversations.map(({ project_id, project_name, failed }) => (
          <Entry key={project_id} project={project_name}>
            <RowLink
              to="/projects/$pid/conversations"
              params={{ pid: project_id }}
              search={{ status: 'failed' }}
            >
              {words.failedConversations(failed)}
            </RowLink>
          </Entry>
        ))}
        {reports.map(({ id, project_id, project_name, title }) => (
          <FailedReport key={id} id={id} projectId={project_id} project={project_name} title={title} />
        ))}
        {invitations.map((invitation) => (
          <ExpiredInvitation key={invitation.id} invitation={invitation} />
        ))}
      </ul>
    </Card>
  )
}

function Webhook({ webhook }: { webhook: Trouble['webhooks'][number] }): ReactNode {
  const { activity: words } = useWords()
  const { id, project_id, project_name, name, host, state, disabled_reason, consecutive_failures } = webhook
  const shown = name ?? host
  return (
    <Entry project={project_name}>
      <RowLink to="/projects/$pid/webhooks/$id" params={{ pid: project_id, id }}>
        {state === 'disabled'
          ? words.webhookDisabled(shown)
          : words.webhookFailing(shown, consecutive_failures)}
      </RowLink>
      {disabled_reason && (
        <Text size="sm" c="dimmed">
          {words.reasons[disabled_reason]}
        </Text>
      )}
    </Entry>
  )
}

function FailedReport(props: {
  id: string
  projectId: string
  project: string
  title: string | null
}): ReactNode {
  const w = useWords()
  return (
    <Entry project={props.project}>
      <RowLink to="/projects/$pid/reports/$rid" params={{ pid: props.projectId, rid: props.id }}>
        {w.activity.failedReport(props.title ?? w.common.untitled)}
      </RowLink>
    </Entry>
  )
}

const Entry = ({ project, children }: { project: string; children: ReactNode }): ReactNode => (
  <li>
    <Text component="div" size="sm" className={classes['what']}>
      {children}
    </Text>
    <Text size="xs" c="dimmed">
      <bdi>{project}</bdi>
    </Text>
  </li>
)
