import { useElementSize } from '@mantine/hooks'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useMemo, useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { clock } from '../ui/time.tsx'
import { useWords } from '../words/words.tsx'
import classes from './waveform.module.css'

interface Props {
  /** Null while they are measured, and for audio that cannot be decoded on the server: then all bars are low. */
  peaks: readonly number[] | null
  /** In seconds, as is `time`. */
  length: number
  time: number
  gaps: Schemas['MissingAudio'][]
  isEnabled: boolean
  onSeek: (seconds: number) => void
}

const HEIGHT = 56
/** The width of a bar with the space after it, in pixels. */
const STEP = 3
const BAR = 2
/** A recording that is quiet as a whole is drawn louder, up to this factor. */
const MAX_GAIN = 4
const LONG_STEP_SECONDS = 30

/** The recording as a picture: click, drag or press keys to go elsewhere. Parts without audio are hatched. */
export function Waveform({ peaks, length, time, gaps, isEnabled, onSeek }: Props): ReactNode {
  const w = useWords()
  const { ref, width } = useElementSize()
  const [hover, setHover] = useState<number | null>(null)
  const path = useMemo(() => pathOf(peaks, width), [peaks, width])
  const toX = (seconds: number): number => (length > 0 ? (seconds / length) * width : 0)
  const secondsAt = ({ clientX, currentTarget }: PointerEvent<HTMLElement>): number => {
    const { left, width: shown } = currentTarget.getBoundingClientRect()
    return Math.min(1, Math.max(0, (clientX - left) / shown)) * length
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const targets: Record<string, number> = {
      Home: 0,
      End: length,
      PageDown: Math.max(0, time - LONG_STEP_SECONDS),
      PageUp: Math.min(length, time + LONG_STEP_SECONDS),
    }
    const target = targets[event.key]
    if (target === undefined || !isEnabled) return
    event.preventDefault()
    onSeek(target)
  }
  return (
    <div
      ref={ref}
      className={classes['wave']}
      role="slider"
      tabIndex={0}
      aria-label={w.conversation.position}
      aria-valuemin={0}
      aria-valuemax={Math.round(length)}
      aria-valuenow={Math.round(time)}
      aria-valuetext={w.conversation.timeOf(clock(time), clock(length))}
      aria-disabled={!isEnabled}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (!isEnabled) return
        event.currentTarget.setPointerCapture(event.pointerId)
        onSeek(secondsAt(event))
      }}
      onPointerMove={(event) => {
        setHover(secondsAt(event))
        if (isEnabled && event.currentTarget.hasPointerCapture(event.pointerId)) onSeek(secondsAt(event))
      }}
      onPointerLeave={() => setHover(null)}
    >
      {width > 0 && (
        <svg
          className={classes['drawing']}
          viewBox={`0 0 ${width} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <defs>
            <clipPath id="played">
              <rect width={toX(time)} height={HEIGHT} />
            </clipPath>
            <pattern
              id="gap"
              width="6"
              height="6"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <path d="M0 0v6" className={classes['hatch']} />
            </pattern>
          </defs>
          <path d={path} className={classes['bars']} />
          <path d={path} className={classes['played']} clipPath="url(#played)" />
          {gaps.map(({ start_ms, end_ms }) => {
            const x = toX(start_ms / 1_000)
            const size = { x, width: Math.max(3, toX(end_ms / 1_000) - x), height: HEIGHT }
            return (
              <g key={start_ms}>
                <rect {...size} className={classes['gap']} />
                <rect {...size} className={classes['gapFrame']} />
              </g>
            )
          })}
          <path d={`M${toX(time)} 0v${HEIGHT}`} className={classes['head']} />
        </svg>
      )}
      {hover !== null && isEnabled && (
        <span className={classes['hover']} style={{ insetInlineStart: toX(hover) }}>
          {clock(hover)}
        </span>
      )}
    </div>
  )
}

/** One bar for the loudest moment of its span, symmetric around the middle. */
function pathOf(peaks: readonly number[] | null, width: number): string {
  const count = Math.max(1, Math.floor(width / STEP))
  const loudest = Math.max(1, ...(peaks ?? []))
  const gain = Math.min(MAX_GAIN, 255 / loudest) / 255
  let path = ''
  for (let n = 0; n < count; n += 1) {
    const level = peaks ? loudestOf(peaks, n / count, (n + 1) / count) * gain : 0
    const height = Math.max(2, level * HEIGHT)
    path += `M${n * STEP} ${(HEIGHT - height) / 2}h${BAR}v${height}h${-BAR}z`
  }
  return path
}

function loudestOf(peaks: readonly number[], from: number, to: number): number {
  const first = Math.floor(from * peaks.length)
  return Math.max(0, ...peaks.slice(first, Math.max(first + 1, Math.ceil(to * peaks.length))))
}
