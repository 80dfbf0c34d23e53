import { Badge, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { type Fact, FactsList } from '../ui/facts-list.tsx'
import { clock, Time } from '../ui/time.tsx'
import { useWords } from '../words/words.tsx'
import { languageName } from './language-name.ts'

export function Facts({ conversation }: { conversation: Schemas['ConversationInFull'] }): ReactNode {
  const w = useWords()
  const { participant_name, participant_email, language, started_at, duration_seconds, code } = conversation
  const { transcript_model, tags, source } = conversation
  const rows: Fact[] = [
    [
      w.conversation.participant,
      <bdi key="name">
        {participant_name ?? w.conversations.anonymous}
        {participant_email && ` (${participant_email})`}
      </bdi>,
    ],
    [w.conversation.started, <Time key="time" at={started_at} />],
    [w.conversations.source, w.conversations.sources[source]],
    [w.conversation.length, duration_seconds > 0 ? clock(duration_seconds) : '–'],
    [w.conversation.language, language ? languageName(language) : w.common.unknown],
    ...(transcript_model ? [[w.conversation.model, transcript_model] as Fact] : []),
    ...(code ? [[w.conversation.code, <code key="code">{code}</code>] as Fact] : []),
  ]
  return (
    <>
      <FactsList facts={rows} />
      {tags.length > 0 && (
        <Group gap={6} mt="sm">
          {tags.map((tag) => (
            <Badge key={tag} variant="light" tt="none">
              <bdi>{tag}</bdi>
            </Badge>
          ))}
        </Group>
      )}
    </>
  )
}
