import { Card } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { type Fact, FactsList } from '../../ui/facts-list.tsx'
import { TextLink } from '../../ui/page-link.tsx'
import { Time } from '../../ui/time.tsx'
import { useWords } from '../../words/words.tsx'

interface Props {
  projectId: string
  delivery: Schemas['DeliveryDetail']
}

/** The ids in a delivery's payload: project, conversation, report. */
interface SubjectIds {
  pid: string
  conversation?: string
  report?: string
}

export function DeliveryFacts({ projectId, delivery }: Props): ReactNode {
  const w = useWords()
  const { id, event, event_id, event_at, kind, created_at, finished_at } = delivery
  const subject = subjectOf(delivery, projectId)
  const rows: Fact[] = [
    [w.deliveries.event, <code key="event">{event}</code>],
    ...(subject ? [[w.deliveries.about, <Subject key="about" {...subject} />] as Fact] : []),
    [w.deliveries.kind, w.deliveries.kinds[kind]],
    [w.deliveries.eventAt, <Time key="at" at={event_at} />],
    [w.deliveries.created, <Time key="created" at={created_at} />],
    ...(finished_at ? [[w.deliveries.finished, <Time key="finished" at={finished_at} />] as Fact] : []),
    [w.deliveries.eventId, <code key="id">{event_id}</code>],
    [w.deliveries.deliveryId, <code key="did">{id}</code>],
  ]
  return (
    <Card withBorder>
      <FactsList facts={rows} />
    </Card>
  )
}

function Subject({ pid, conversation, report }: SubjectIds): ReactNode {
  const w = useWords()
  if (conversation)
    return (
      <TextLink to="/projects/$pid/conversations/$cid" params={{ pid, cid: conversation }}>
        {w.deliveries.subjects.conversation}
      </TextLink>
    )
  return (
    report && (
      <TextLink to="/projects/$pid/reports/$rid" params={{ pid, rid: report }}>
        {w.deliveries.subjects.report}
      </TextLink>
    )
  )
}

/** Sample data of a test has no page. */
function subjectOf({ payload, kind }: Schemas['DeliveryDetail'], pid: string): SubjectIds | null {
  if (payload === null || kind === 'test') return null
  const { data } = JSON.parse(payload) as { data: { conversation_id?: string; report_id?: string } }
  if (data.conversation_id) return { pid, conversation: data.conversation_id }
  return data.report_id ? { pid, report: data.report_id } : null
}
