import { Button, Group, SegmentedControl, Skeleton, Title } from '@mantine/core'
import { useFullscreenElement } from '@mantine/hooks'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { RouteProblem } from '../shell/route-problem.tsx'
import { Empty } from '../ui/page.tsx'
import { TextLink } from '../ui/page-link.tsx'
import { useWords } from '../words/words.tsx'
import classes from './room.module.css'
import { isWriting, type Table, troubleOf } from './room-state.ts'
import { SHOWS } from './search.ts'
import { Tile } from './tile.tsx'
import { useAwakeScreen } from './use-awake-screen.ts'
import { useRoom } from './use-room.ts'

const FROM = '/projects/$pid/live'
/** After the last reading, silence is not counted further than this: the page cannot know of signs of life. */
const READ_VALID_MS = 10_000

/** Everyone who records, for a facilitator: on a laptop, a phone or a projector. */
export function LiveRoom(): ReactNode {
  const w = useWords()
  const { pid } = useParams({ from: FROM })
  const { show = 'all' } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const { ref, toggle, fullscreen } = useFullscreenElement<HTMLElement>()
  const { room, clockOffset, readAt, connection, error, retry } = useRoom(pid)
  const now = useNow() + clockOffset
  useAwakeScreen()
  useEffect(() => {
    document.title = `${w.room.title} · Parley`
  }, [w])
  if (error) return <RouteProblem error={error} reset={retry} />
  const known = Math.min(now, readAt + clockOffset + READ_VALID_MS)
  const all = [...(room?.values() ?? [])].map((table) => ({ table, trouble: troubleOf(table, known) }))
  const inTrouble = all.filter(({ trouble }) => trouble !== null)
  const shown = show === 'trouble' ? inTrouble : all
  return (
    <section ref={ref} className={classes['room']} aria-label={w.room.title}>
      <Group justify="space-between" gap="sm">
        <Title order={1} className={classes['heading']}>
          {w.room.title}
        </Title>
        <Group gap="xs">
          <SegmentedControl
            aria-label={w.room.show}
            value={show}
            onChange={(value) => void navigate({ search: value === 'trouble' ? { show: value } : {} })}
            data={SHOWS.map((value) => ({ value, label: w.room.shows[value] }))}
          />
          {document.fullscreenEnabled && (
            <Button variant="default" visibleFrom="sm" onClick={() => void toggle()}>
              {fullscreen ? w.room.leaveFullScreen : w.room.enterFullScreen}
            </Button>
          )}
        </Group>
      </Group>
      <Summary tables={all.map(({ table }) => table)} troubled={inTrouble.length} connection={connection} />
      {!room && <Skeleton height={320} />}
      {room?.size === 0 && (
        <Empty title={w.room.none} help={w.room.noneHelp}>
          <TextLink to="/projects/$pid" params={{ pid }}>
            {w.room.openProject}
          </TextLink>
        </Empty>
      )}
      {room && room.size > 0 && shown.length === 0 && (
        <Empty title={w.room.noTrouble} help={w.room.noTroubleHelp}>
          <Button variant="default" onClick={() => void navigate({ search: {} })}>
            {w.room.showAll}
          </Button>
        </Empty>
      )}
      <ul className={classes['grid']} data-size={sizeOf(shown.length)} aria-label={w.room.grid}>
        {shown.map(({ table, trouble }) => (
          <Tile
            key={table.id}
            projectId={pid}
            table={table}
            trouble={trouble}
            now={table.status === 'recording' ? Math.floor((trouble === 'silent' ? known : now) / 1_000) : 0}
          />
        ))}
      </ul>
    </section>
  )
}

/** The fewer tiles, the larger. */
const sizeOf = (count: number): 's' | 'm' | 'l' => (count <= 6 ? 'l' : count <= 15 ? 'm' : 's')

/** The time of this page, each second. */
function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

function Summary(props: { tables: Table[]; troubled: number; connection: string }): ReactNode {
  const w = useWords()
  const { tables, troubled, connection } = props
  const open = tables.filter(({ status }) => status === 'recording')
  const writing = open.filter(isWriting).length
  const paused = open.filter((table) => table.is_paused && !isWriting(table)).length
  const recording = open.length - paused - writing
  // Those that failed need attention.
  const finished = tables.filter(({ status }) => status !== 'recording' && status !== 'failed').length
  return (
    <div className={classes['summary']}>
      {tables.length > 0 && (
        <>
          {(recording > 0 || writing === 0) && <strong>{w.room.recording(recording)}</strong>}
          {writing > 0 && <strong>{w.room.writingCount(writing)}</strong>}
          <strong data-trouble={troubled > 0} role="status">
            {troubled > 0 ? w.room.attention(troubled) : w.room.allWell}
          </strong>
          {paused > 0 && <span>{w.room.pausedCount(paused)}</span>}
          {finished > 0 && <span>{w.room.finished(finished)}</span>}
        </>
      )}
      <span className={classes['live']} role="status" data-broken={connection === 'lost' || undefined}>
        {connection === 'lost'
          ? w.room.reconnecting
          : connection === 'live'
            ? w.room.live
            : w.room.connecting}
      </span>
    </div>
  )
}
