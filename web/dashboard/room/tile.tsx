import { Link } from '@tanstack/react-router'
import { memo, type ReactNode } from 'react'
import { failureText } from '../conversations/failure-text.ts'
import { clock, lengthInWords } from '../ui/time.tsx'
import type { Words } from '../words/en/index.ts'
import { useWords } from '../words/words.tsx'
import classes from './room.module.css'
import { isWriting, type Table, type Trouble, textOf, timeOf } from './room-state.ts'
import { Sign, type SignKind } from './sign.tsx'

interface Props {
  projectId: string
  table: Table
  trouble: Trouble | null
  /** The time of the server, in seconds; grows only while the tile shows a time that runs. */
  now: number
}

/** The heading of a tile: hosts ask people to type the name of their table. */
const nameOf = ({ participant_name, code }: Table, words: Words): string =>
  participant_name ?? code ?? words.conversations.anonymous

/** Readable from two metres: the name, the time and the state are large; trouble has a sign, a word and a frame. */
export const Tile = memo(function Tile({ projectId, table, trouble, now }: Props): ReactNode {
  const w = useWords()
  const name = nameOf(table, w)
  const text = textOf(table)
  const isRecording = table.status === 'recording'
  const isOver = table.status === 'done' || table.status === 'failed'
  const time = timeOf(table, now)
  const failure = trouble === 'failed' && table.failure ? failureText(table.failure, w) : null
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
        {time !== null && (
          <span
            className={classes['clock']}
            title={(isRecording ? w.room.elapsed : w.room.length)(clock(time))}
          >
            {clock(time)}
          </span>
        )}
      </div>
      <p className={classes['state']}>
        <Sign kind={trouble ?? signOf(table)} />
        <span>{stateOf(table, trouble, now, w)}</span>
      </p>
      {failure && (
        <p className={classes['failure']} title={failure}>
          {failure}
        </p>
      )}
      {(text !== '' || !failure) && (
        <div className={classes['text']}>
          <div className={classes['lines']} dir="auto">
            {text === '' ? <p data-empty>{w.room.noText[isOver ? 'over' : 'open']}</p> : <p>{text}</p>}
          </div>
        </div>
      )}
    </li>
  )
})

function signOf(table: Table): SignKind {
  if (table.status !== 'recording') return 'done'
  if (table.is_paused) return 'paused'
  return isWriting(table) ? 'writing' : 'recording'
}

function stateOf(table: Table, trouble: Trouble | null, now: number, w: Words): string {
  if (table.status !== 'recording') return w.room.over[table.status]
  if (trouble === 'silent')
    return w.room.trouble.silent(clock(now - Date.parse(table.last_active_at) / 1_000))
  if (trouble === 'gap') return w.room.trouble.gap(lengthInWords(table.missing_seconds))
  if (table.is_paused) return w.room.paused
  return isWriting(table) ? w.room.writing : w.room.ok
}
