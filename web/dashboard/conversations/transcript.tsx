import { Badge, Card, Skeleton, Text, Title, Tooltip, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { clock } from '../ui/time.tsx'
import { useWords } from '../words/words.tsx'
import { Correction } from './correction.tsx'
import type { Playback } from './player.tsx'
import { transcriptQuery } from './queries.ts'
import classes from './transcript.module.css'

type Entry = Schemas['Transcript']['entries'][number]
type Said = Schemas['TranscriptText']

interface Props {
  conversation: Schemas['ConversationInFull']
  playback: RefObject<Playback | null>
  mayCorrect: boolean
}

export function Transcript({ conversation, playback, mayCorrect }: Props): ReactNode {
  const w = useWords()
  const { id, status, revision, duration_seconds, transcript_model } = conversation
  const version = [status, revision, duration_seconds, transcript_model].join()
  const { data, error, refetch } = useQuery(transcriptQuery(id, version))
  const seconds = usePlaybackTime(playback)
  const entries = data?.entries ?? []
  return (
    <Card withBorder component="section" aria-labelledby="transcript">
      <Title order={2} id="transcript" mb="sm">
        {w.conversation.transcript}
      </Title>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton height={200} />}
      {data && entries.length === 0 && (
        <Text c="dimmed">{status === 'done' ? w.conversation.silent : w.conversation.noTranscript}</Text>
      )}
      <ol className={classes['entries']}>
        {entries.map((entry) => (
          <li
            key={`${entry.kind} ${entry.start_ms} ${'id' in entry ? entry.id : ''}`}
            className={classes['entry']}
            data-current={isCurrent(entry, seconds)}
          >
            <UnstyledButton
              className={classes['time']}
              onClick={() => playback.current?.playFrom(entry.start_ms / 1_000)}
              aria-label={w.conversation.seekTo(clock(entry.start_ms / 1_000))}
            >
              {clock(entry.start_ms / 1_000)}
            </UnstyledButton>
            <EntryText entry={entry} conversationId={id} mayCorrect={mayCorrect} />
          </li>
        ))}
      </ol>
    </Card>
  )
}

/** The current second of the player; null before it plays. */
function usePlaybackTime(playback: RefObject<Playback | null>): number | null {
  const [seconds, setSeconds] = useState<number | null>(null)
  useEffect(() => playback.current?.onTime(setSeconds), [playback])
  return seconds
}

const isCurrent = ({ start_ms, end_ms }: Entry, seconds: number | null): boolean =>
  seconds !== null && seconds * 1_000 >= start_ms && seconds * 1_000 < end_ms

function EntryText(props: { entry: Entry; conversationId: string; mayCorrect: boolean }): ReactNode {
  const w = useWords()
  const { entry, conversationId, mayCorrect } = props
  if (entry.kind === 'missing')
    return (
      <Text c="dimmed" fs="italic">
        {w.conversation.missing(clock((entry.end_ms - entry.start_ms) / 1_000))}
      </Text>
    )
  return (
    <div className={classes['said']}>
      {entry.speaker && (
        <Text size="sm" fw={600}>
          <bdi>{entry.speaker}</bdi>
        </Text>
      )}
      <Marks entry={entry} />
      {entry.kind === 'said' && entry.id && mayCorrect ? (
        <Correction conversationId={conversationId} segmentId={entry.id} entry={entry} />
      ) : (
        <Text dir="auto" lang={entry.language}>
          {entry.text}
        </Text>
      )}
    </div>
  )
}

function Marks({ entry }: { entry: Said }): ReactNode {
  const w = useWords()
  return (
    <>
      {entry.unclear && (
        <Tooltip label={w.conversation.unclearHelp}>
          <Badge size="sm" color="yellow" variant="light" tabIndex={0}>
            {w.conversation.unclear}
          </Badge>
        </Tooltip>
      )}
      {entry.original_text !== undefined && (
        <Tooltip label={w.conversation.original(entry.original_text)} multiline maw={320}>
          <Badge size="sm" color="gray" variant="light" tabIndex={0}>
            {w.conversation.corrected}
          </Badge>
        </Tooltip>
      )}
      {entry.kind === 'written' && (
        <Badge size="sm" color="gray" variant="light">
          {w.conversation.written}
        </Badge>
      )}
    </>
  )
}
