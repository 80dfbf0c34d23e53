import { Badge, Card, Group, Skeleton, Text, Title, Tooltip, UnstyledButton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { memo, type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { clock, lengthInWords } from '../ui/time.tsx'
import { useWords } from '../words/words.tsx'
import { Correction } from './correction.tsx'
import type { Playback } from './player.tsx'
import { transcriptQuery, transcriptVersion } from './queries.ts'
import classes from './transcript.module.css'

type Entry = Schemas['Transcript']['entries'][number]
type Said = Schemas['TranscriptText']

interface Props {
  conversation: Schemas['ConversationInFull']
  playback: RefObject<Playback | null>
  mayCorrect: boolean
  hasAudio: boolean
}

const keyOf = (entry: Entry): string => `${entry.kind} ${entry.start_ms} ${'id' in entry ? entry.id : ''}`

export function Transcript({ conversation, playback, mayCorrect, hasAudio }: Props): ReactNode {
  const w = useWords()
  const { id, status } = conversation
  const { data, error, refetch } = useQuery(transcriptQuery(id, transcriptVersion(conversation)))
  const entries = data?.entries ?? []
  // Where nothing could be decoded, nothing can be played.
  const isPlayable = hasAudio && entries.some(({ kind }) => kind === 'said')
  const current = useCurrentEntry(entries, playback)
  const [edited, setEdited] = useState<string | null>(null)
  const list = useRef<HTMLOListElement>(null)
  useFollowing(list, current, playback)
  const play = useCallback((ms: number) => playback.current?.playFrom(ms / 1_000), [playback])
  const onOpen = useCallback((key: string, isOpen: boolean) => setEdited(isOpen ? key : null), [])
  const goTo = (index: number) => {
    const entry = entries[Math.min(Math.max(0, index), entries.length - 1)]
    if (entry) play(entry.start_ms)
  }
  const editCurrent = (event: KeyboardEvent) => {
    const entry = entries[Math.max(0, current)]
    if (!entry || !mayCorrect) return
    // The letter must not become a part of the text.
    event.preventDefault()
    setEdited(keyOf(entry))
  }
  useHotkeys([
    ['j', () => goTo(current + 1)],
    ['k', () => goTo(current - 1)],
    ['e', editCurrent],
  ])
  return (
    <Card withBorder component="section" aria-labelledby="transcript">
      <Group justify="space-between" align="baseline" mb="sm">
        <Title order={2} id="transcript">
          {w.conversation.transcript}
        </Title>
        {isPlayable && (
          <Text size="xs" c="dimmed" visibleFrom="sm">
            {w.conversation.keys}
          </Text>
        )}
      </Group>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton height={200} />}
      {data && entries.length === 0 && (
        <Text c="dimmed">{status === 'done' ? w.conversation.silent : w.conversation.noTranscript}</Text>
      )}
      <ol className={classes['entries']} ref={list}>
        {entries.map((entry, index) => (
          <EntryRow
            key={keyOf(entry)}
            entry={entry}
            conversationId={id}
            mayCorrect={mayCorrect}
            isPlayable={isPlayable}
            isCurrent={index === current}
            isEdited={keyOf(entry) === edited}
            onPlay={play}
            onOpen={onOpen}
          />
        ))}
      </ol>
    </Card>
  )
}

/** The entry that plays, or was played last; -1 before that. */
function useCurrentEntry(entries: readonly Entry[], playback: RefObject<Playback | null>): number {
  const [seconds, setSeconds] = useState<number | null>(null)
  useEffect(() => playback.current?.onTime(setSeconds), [playback])
  return seconds === null ? -1 : entries.findLastIndex(({ start_ms }) => start_ms <= seconds * 1_000)
}

/** While it plays, the current entry stays in view, unless something is being typed. */
function useFollowing(
  list: RefObject<HTMLOListElement | null>,
  current: number,
  playback: RefObject<Playback | null>,
): void {
  useEffect(() => {
    const isTyping = document.activeElement?.tagName === 'TEXTAREA'
    if (current >= 0 && !isTyping && playback.current?.isPlaying())
      list.current?.children[current]?.scrollIntoView({ block: 'nearest' })
  }, [list, current, playback])
}

interface RowProps {
  entry: Entry
  conversationId: string
  mayCorrect: boolean
  isPlayable: boolean
  isCurrent: boolean
  isEdited: boolean
  onPlay: (ms: number) => void
  onOpen: (key: string, isOpen: boolean) => void
}

/** Only the entries that begin or end to be current are drawn again while it plays. */
const EntryRow = memo(function EntryRow({
  entry,
  isPlayable,
  isCurrent,
  onPlay,
  ...props
}: RowProps): ReactNode {
  const w = useWords()
  const time = clock(entry.start_ms / 1_000)
  return (
    <li className={classes['entry']} data-current={isCurrent} data-missing={entry.kind === 'missing'}>
      {isPlayable ? (
        <UnstyledButton
          className={classes['time']}
          onClick={() => onPlay(entry.start_ms)}
          aria-label={w.conversation.seekTo(time)}
        >
          {time}
        </UnstyledButton>
      ) : (
        <span className={classes['still']}>{time}</span>
      )}
      <EntryText entry={entry} {...props} />
    </li>
  )
})

function EntryText(props: Omit<RowProps, 'isPlayable' | 'isCurrent' | 'onPlay'>): ReactNode {
  const w = useWords()
  const { entry, conversationId, mayCorrect, isEdited, onOpen } = props
  if (entry.kind === 'missing')
    return (
      <Text c="dimmed" fs="italic">
        {w.conversation.missing(lengthInWords((entry.end_ms - entry.start_ms) / 1_000))}
        {w.conversation.failures[entry.reason] && `. ${w.conversation.failures[entry.reason]}`}
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
        <Correction
          conversationId={conversationId}
          segmentId={entry.id}
          entry={entry}
          isOpen={isEdited}
          onOpen={(isOpen) => onOpen(keyOf(entry), isOpen)}
        />
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
