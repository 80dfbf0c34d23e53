import type { Schemas } from '../api/client.ts'
import type { NameOf } from './source-link.tsx'

/** The name of a person, or else what the conversation is about. */
export function nameOf({ conversations }: Schemas['ReportDocument'], anonymous: string): NameOf {
  const names = new Map(conversations.map((one) => [one.id, one.participant ?? one.title ?? anonymous]))
  return (conversationId) => names.get(conversationId) ?? anonymous
}
