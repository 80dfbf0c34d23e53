import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { SentenceLink } from '../ui/page-link.tsx'

interface Props {
  entry: Pick<Schemas['AuditEntry'], 'target_kind' | 'target_id' | 'target_project_id'>
  name: string
}

/** The name of what an entry of the audit log is about, as a link to its page if it has one. */
export function TargetLink({ entry, name }: Props): ReactNode {
  const { target_kind: kind, target_id: id, target_project_id: pid } = entry
  const text = <bdi>{name}</bdi>
  if (pid === null) return text
  switch (kind) {
    case 'project':
      return (
        <SentenceLink to="/projects/$pid" params={{ pid }}>
          {text}
        </SentenceLink>
      )
    case 'conversation':
      return (
        <SentenceLink to="/projects/$pid/conversations/$cid" params={{ pid, cid: id }}>
          {text}
        </SentenceLink>
      )
    case 'report':
      return (
        <SentenceLink to="/projects/$pid/reports/$rid" params={{ pid, rid: id }}>
          {text}
        </SentenceLink>
      )
    case 'webhook':
      return (
        <SentenceLink to="/projects/$pid/webhooks/$id" params={{ pid, id }}>
          {text}
        </SentenceLink>
      )
    default:
      return text
  }
}
