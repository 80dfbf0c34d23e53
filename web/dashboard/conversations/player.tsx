import { Button, Group, SegmentedControl, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { ApiProblem, Unreachable } from '../api/problem.ts'
import { clock } from '../ui/time.tsx'
import { useWords } from '../words/words.tsx'
import classes from './player.module.css'
import { peaksQuery } from './queries.ts'
import { Waveform } from './waveform.tsx'

/** How the transcript and the summary use the player. */
export interface Playback {
  playFrom(seconds: number): void
  isPlaying(): boolean
  /** Calls back with the time while it plays, until the returned function is called. */
  onTime(listener: (seconds: number) => void): () => void
}

const SPEEDS = ['0.75', '1', '1.25', '1.5', '2']
const STEP_SECONDS = 5
const LATER_MS = 5_000

/** Whether there is audio: it is put together after the recording has ended. */
function useAudio(url: string) {
  return useQuery({
    queryKey: ['audio', url],
    queryFn: async ({ signal }): Promise<'ready' | 'later' | 'never'> => {
      const response = await fetch(url, { method: 'HEAD', signal }).catch((cause: unknown) => {
        throw new Unreachable('', { cause })
      })
      if (response.ok) return 'ready'
      if (response.status === 409) return 'later'
      if (response.status === 410 || response.status === 404) return 'never'
      throw new ApiProblem(response, undefined)
    },
    refetchInterval: ({ state }) => (state.data === 'later' ? LATER_MS : false),
  })
}

interface PlayerProps {
  conversation: Schemas['ConversationInFull']
  ref: Ref<Playback>
}

/** The space bar presses a button or a link that has the focus. */
const PRESSED_BY_SPACE = ['INPUT', 'TEXTAREA', 'SELECT', 'BUTTON', 'A']

export function Player({ conversation: { id, duration_seconds, missing }, ref }: PlayerProps): ReactNode {
  const w = useWords()
  const url = `/api/v2/conversations/${id}/audio`
  const { data: state } = useAudio(url)
  const { data: measured } = useQuery(peaksQuery(id, state === 'ready'))
  const audio = useRef<HTMLAudioElement>(null)
  const listeners = useRef(new Set<(seconds: number) => void>())
  const [time, setTime] = useState(0)
  const [length, setLength] = useState(duration_seconds)
  const [isPlaying, setIsPlaying] = useState(false)
  const [speed, setSpeed] = useState('1')

  const report = (seconds: number) => {
    setTime(seconds)
    for (const listener of listeners.current) listener(seconds)
  }
  const seek = (seconds: number) => {
    if (!audio.current || state !== 'ready') return
    audio.current.currentTime = Math.min(Math.max(0, seconds), length)
    report(audio.current.currentTime)
  }
  // Rejects when it is paused before it has begun, which is not a problem.
  const play = () => void audio.current?.play().catch(() => {})
  const toggle = () => (audio.current?.paused ? play() : audio.current?.pause())
  useHotkeys([['space', toggle]], PRESSED_BY_SPACE)
  useHotkeys([
    ['ArrowLeft', () => seek((audio.current?.currentTime ?? 0) - STEP_SECONDS)],
    ['ArrowRight', () => seek((audio.current?.currentTime ?? 0) + STEP_SECONDS)],
  ])
  useImperativeHandle(ref, () => ({
    playFrom: (seconds) => {
      seek(seconds)
      play()
    },
    isPlaying: () => audio.current?.paused === false,
    onTime: (listener) => {
      listeners.current.add(listener)
      return () => listeners.current.delete(listener)
    },
  }))
  useEffect(() => {
    // Reports link to a moment: `#t=42`.
    const moment = Number(/^#t=([\d.]+)/.exec(location.hash)?.[1])
    if (state === 'ready' && moment > 0 && audio.current) audio.current.currentTime = moment
  }, [state])

  if (state === 'later' || state === 'never')
    return (
      <Text size="sm" c="dimmed">
        {state === 'later' ? w.conversation.audioLater : w.conversation.noAudio}
      </Text>
    )
  const onTime = () => report(audio.current?.currentTime ?? 0)
  return (
    <div className={classes['bar']}>
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript is below it. */}
      <audio
        ref={audio}
        src={url}
        preload="metadata"
        onTimeUpdate={onTime}
        onSeeked={onTime}
        onPlay={() => setIsPlaying(true)}
        onPause={() => setIsPlaying(false)}
        onLoadedMetadata={({ currentTarget }) => {
          if (Number.isFinite(currentTarget.duration)) setLength(currentTarget.duration)
        }}
      />
      <Group wrap="nowrap" gap="sm">
        <Button onClick={toggle} disabled={state !== 'ready'} miw={84}>
          {isPlaying ? w.conversation.pause : w.conversation.play}
        </Button>
        <Waveform
          peaks={measured?.peaks ?? null}
          length={length}
          time={time}
          gaps={missing}
          isEnabled={state === 'ready'}
          onSeek={seek}
        />
      </Group>
      <Group gap="sm" mt={6} justify="space-between">
        <Text size="sm" className={classes['clock']}>
          {clock(time)} / {clock(length)}
        </Text>
        <SegmentedControl
          size="xs"
          value={speed}
          data={SPEEDS.map((value) => ({ value, label: `${value}×` }))}
          onChange={(value) => {
            setSpeed(value)
            if (audio.current) audio.current.playbackRate = Number(value)
          }}
          aria-label={w.conversation.speed}
        />
      </Group>
    </div>
  )
}
