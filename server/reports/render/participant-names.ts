import type { Labels } from './labels.ts'
import { plain } from './plain-text.ts'
import type { DocumentConversation } from './report-document.ts'

/** The number and name of the person of each conversation: "Participant 3" without a name. Two people with one name are told apart by number. */
export function participantNames(
  conversations: readonly Pick<DocumentConversation, 'participant' | 'number'>[],
  { participant: numbered }: Pick<Labels, 'participant'>,
): { number: number; name: string }[] {
  const names = conversations.map(({ participant }) => plain(participant ?? ''))
  const groups = Map.groupBy(names, (name) => name)
  return conversations.map((conversation, at) => {
    const number = conversation.number ?? at + 1
    const name = names[at] ?? ''
    if (name === '') return { number, name: `${numbered} ${number}` }
    return { number, name: groups.get(name)?.length === 1 ? name : `${name} (${number})` }
  })
}
