import { Card, List, Text, Title, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { clock } from '../ui/time.tsx'
import { useWords } from '../words/words.tsx'
import { transcriptQuery, transcriptVersion } from './queries.ts'
import classes from './transcript.module.css'

interface Props {
  conversation: Schemas['ConversationInFull']
  onSeek: (seconds: number) => void
}

type Point = NonNullable<Schemas['ConversationInFull']['summary_details']>['points'][number]

/** Each point shows the sentences on which it is based, and plays them. */
export function Summary({ conversation, onSeek }: Props): ReactNode {
  const w = useWords()
  const { id, status, summary, summary_details } = conversation
  const isOver = status === 'done' || status === 'failed'
  const { data: transcript } = useQuery(transcriptQuery(id, transcriptVersion(conversation)))
  const said = new Map(
    transcript?.entries.flatMap((entry) => (entry.kind !== 'missing' && entry.id ? [[entry.id, entry]] : [])),
  )
  const points = summary_details?.points ?? []
  return (
    <Card withBorder component="section" aria-labelledby="summary">
      <Title order={2} id="summary" mb="xs">
        {w.conversation.summary}
      </Title>
      {summary === null && (
        <Text size="sm" c="dimmed">
          {isOver ? w.conversation.noSummary.over : w.conversation.noSummary.open}
        </Text>
      )}
      {points.length > 0 ? (
        <List size="sm" spacing="xs">
          {points.map((point) => (
            <List.Item key={point.text}>
              <PointText point={point} said={said} onSeek={onSeek} />
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

function PointText(props: {
  point: Point
  said: ReadonlyMap<string, Schemas['TranscriptText']>
  onSeek: (seconds: number) => void
}): ReactNode {
  const w = useWords()
  const { point, said, onSeek } = props
  const { text, segments, start_ms } = point
  const sources = segments.flatMap((id) => said.get(id) ?? [])
  // A chosen sentence is its own source.
  const isQuoted = sources.every((source) => source.text === text)
  return (
    <>
      <bdi>{text}</bdi> {start_ms !== null && <PlayLink ms={start_ms} onSeek={onSeek} />}
      {sources.length > 0 && !isQuoted && (
        <details className={classes['sources']}>
          <summary>{w.conversation.sources(sources.length)}</summary>
          <ul>
            {sources.map((source) => (
              <li key={source.id}>
                <PlayLink ms={source.start_ms} onSeek={onSeek} /> <q dir="auto">{source.text}</q>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function PlayLink({ ms, onSeek }: { ms: number; onSeek: (seconds: number) => void }): ReactNode {
  const w = useWords()
  const time = clock(ms / 1_000)
  return (
    <UnstyledButton
      className={classes['time']}
      onClick={() => onSeek(ms / 1_000)}
      aria-label={w.conversation.seekTo(time)}
    >
      {time}
    </UnstyledButton>
  )
}
