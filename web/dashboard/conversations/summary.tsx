import { Card, List, Text, Title, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { clock } from '../ui/time.tsx'
import { useWords } from '../words/words.tsx'
import classes from './transcript.module.css'

interface Props {
  conversation: Schemas['ConversationInFull']
  onSeek: (seconds: number) => void
}

/** Each point leads to the moment at which it was said. */
export function Summary({ conversation: { summary, summary_details }, onSeek }: Props): ReactNode {
  const w = useWords()
  const points = summary_details?.points ?? []
  return (
    <Card withBorder component="section" aria-labelledby="summary">
      <Title order={2} id="summary" mb="xs">
        {w.conversation.summary}
      </Title>
      {summary === null && (
        <Text size="sm" c="dimmed">
          {w.conversation.noSummary}
        </Text>
      )}
      {points.length > 0 ? (
        <List size="sm" spacing="xs">
          {points.map(({ text, start_ms }) => (
            <List.Item key={text}>
              <bdi>{text}</bdi>{' '}
              {start_ms !== null && (
                <UnstyledButton
                  className={classes['time']}
                  onClick={() => onSeek(start_ms / 1_000)}
                  aria-label={w.conversation.seekTo(clock(start_ms / 1_000))}
                >
                  {clock(start_ms / 1_000)}
                </UnstyledButton>
              )}
            </List.Item>
          ))}
        </List>
      ) : (
        <Text size="sm" dir="auto">
          {summary}
        </Text>
      )}
      {summary_details && (
        <Text size="xs" c="dimmed" mt="sm">
          {summary_details.method === 'generative'
            ? w.conversation.summaryGenerative(summary_details.model ?? '')
            : w.conversation.summaryExtractive}
        </Text>
      )}
    </Card>
  )
}
