import { UnstyledButton } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { TextLink } from '../ui/page-link.tsx'
import { clock } from '../ui/time.tsx'
import { useWords } from '../words/words.tsx'
import classes from './report-text.module.css'

type Source = Schemas['ReportDocument']['sections'][number]['paragraphs'][number]['sources'][number]
export type NameOf = (conversationId: string) => string

interface Props {
  source: Source
  projectId: string
  nameOf: NameOf
  /** Whether the name of the person is shown. */
  isNamed?: boolean
}

/** One moment plays at a time. */
let playing: HTMLAudioElement | null = null

/** Leads to the conversation; the time plays what was said. */
export function SourceLink({ source, projectId, nameOf, isNamed = false }: Props): ReactNode {
  const w = useWords()
  const { conversation_id: cid, start_ms } = source
  const name = nameOf(cid)
  return (
    <span className={classes['source']}>
      {(isNamed || start_ms === null) && (
        <TextLink
          to="/projects/$pid/conversations/$cid"
          params={{ pid: projectId, cid }}
          aria-label={w.reports.readSource(name)}
        >
          <bdi>{name}</bdi>
        </TextLink>
      )}
      {start_ms !== null && <Moment cid={cid} seconds={start_ms / 1_000} name={name} />}
    </span>
  )
}

function Moment({ cid, seconds, name }: { cid: string; seconds: number; name: string }): ReactNode {
  const w = useWords()
  const [audio, setAudio] = useState<HTMLAudioElement | null>(null)
  useEffect(() => () => audio?.pause(), [audio])
  const toggle = () => {
    playing?.pause()
    if (audio) return setAudio(null)
    const next = new Audio(`/api/v2/conversations/${cid}/audio#t=${seconds}`)
    next.onpause = () => setAudio(null)
    next.onerror = () => setAudio(null)
    playing = next
    setAudio(next)
    void next.play().catch(() => setAudio(null))
  }
  return (
    <UnstyledButton
      className={classes['source']}
      onClick={toggle}
      aria-pressed={audio !== null}
      aria-label={w.reports.listen(name, clock(seconds))}
      title={name}
    >
      {audio ? '❚❚' : '▶'} {clock(seconds)}
    </UnstyledButton>
  )
}
