import { Link } from '@tanstack/react-router'
import { memo, type ReactNode } from 'react'
import { clock } from '../ui/time.tsx'
import type { Words } from '../words/en/index.ts'
import { useWords } from '../words/words.tsx'
import classes from './room.module.css'
import { type Table, type Trouble, textOf } from './room-state.ts'
import { Sign } from './sign.tsx'

interface Props {
  projectId: string
  table: Table
  trouble: Trouble | null
  /** The time of the server, in seconds; grows only while the tile shows a time that runs. */
  now: number
}

/** What a tile is called: hosts ask people to type the name of their table. */
const nameOf = ({ participant_name, code }: Table, words: Words): string =>
  participant_name ?? code ?? words.conversations.anonymous

/** Readable from two metres: the name, the time and the state are large; trouble has a sign, a word and a frame. */
export const Tile = memo(function Tile({ projectId, table, trouble, now }: Props): ReactNode {
  const w = useWords()
  const name = nameOf(table, w)
  const text = textOf(table)
  const isRecording = table.status === 'recording'
  const since =
    (isRecording ? now : Date.parse(table.finished_at ?? table.started_at) / 1_000) - startOf(table)
  return (
    <li className={classes['tile']} data-trouble={trouble ?? undefined} data-over={!isRecording || undefined}>
      <div className={classes['top']}>
        <Link
          to="/projects/$pid/conversations/$cid"
          params={{ pid: projectId, cid: table.id }}
          className={classes['name']}
          aria-label={w.room.open(name)}
        >
          <bdi>{name}</bdi>
        </Link>
        <span className={classes['clock']} title={w.room.elapsed(clock(since))}>
          {clock(since)}
        </span>
      </div>
      <p className={classes['state']}>
        <Sign kind={trouble ?? (isRecording ? (table.is_paused ? 'paused' : 'recording') : 'done')} />
        <span>{stateOf(table, trouble, now, w)}</span>
      </p>
      <div className={classes['text']} dir="auto">
        <p data-empty={text === '' || undefined}>{text === '' ? w.room.noText : text}</p>
      </div>
    </li>
  )
})

const startOf = ({ started_at }: Table): number => Date.parse(started_at) / 1_000

function stateOf(table: Table, trouble: Trouble | null, now: number, w: Words): string {
  if (trouble === 'failed') return w.room.trouble.failed
  if (trouble === 'silent')
    return w.room.trouble.silent(clock(now - Date.parse(table.last_active_at) / 1_000))
  if (trouble === 'gap') return w.room.trouble.gap(clock(Math.max(1, table.missing_seconds)))
  if (table.status === 'recording' && table.is_paused) return w.room.paused
  if (table.status === 'recording') return table.source === 'portal_text' ? w.room.writing : w.room.ok
  return table.status === 'done' ? w.room.done : w.room.processing
}
