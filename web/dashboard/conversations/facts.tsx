import { Badge, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { clock, Time } from '../ui/time.tsx'
import { locale } from '../words/language.ts'
import { useWords } from '../words/words.tsx'
import classes from './facts.module.css'

const languageNames = new Intl.DisplayNames(locale, { type: 'language' })

function languageName(tag: string): string {
  try {
    return languageNames.of(tag) ?? tag
  } catch {
    return tag
  }
}

export function Facts({ conversation }: { conversation: Schemas['ConversationInFull'] }): ReactNode {
  const w = useWords()
  const { participant_name, participant_email, language, started_at, duration_seconds, code } = conversation
  const { transcript_model, tags, source } = conversation
  const rows: [label: string, value: ReactNode][] = [
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
    ...(transcript_model ? [[w.conversation.model, transcript_model] as [string, ReactNode]] : []),
    ...(code ? [[w.conversation.code, <code key="code">{code}</code>] as [string, ReactNode]] : []),
  ]
  return (
    <>
      <dl className={classes['list']}>
        {rows.map(([label, value]) => (
          <div key={label} className={classes['row']}>
            <Text component="dt" size="sm" c="dimmed">
              {label}
            </Text>
            <Text component="dd" size="sm" m={0}>
              {value}
            </Text>
          </div>
        ))}
      </dl>
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
