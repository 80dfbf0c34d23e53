import type { Schemas } from '../api/client.ts'
import type { NameOf } from './source-link.tsx'

/** The name of a person, or else a number: a title often repeats the quotation that it stands below. */
export function nameOf(
  { conversations }: Schemas['ReportDocument'],
  numbered: (number: number) => string,
  anonymous: string,
): NameOf {
  const names = new Map(conversations.map((one) => [one.id, one.participant ?? numbered(one.number)]))
  return (conversationId) => names.get(conversationId) ?? anonymous
}
