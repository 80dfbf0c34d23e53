import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { locale } from '../../words/language.ts'
import { useWords } from '../../words/words.tsx'
import classes from './activity.module.css'
import { type Statistics, totalOf } from './statistics.ts'

export const OUTCOMES = ['succeeded', 'pending', 'failed', 'missed', 'cancelled'] as const
const PERCENTILES = ['p50', 'p95'] as const

/** Units of the drawing: a bucket is ten wide, and the largest value a hundred high. The page stretches it. */
const STEP = 10
const GAP = 1.5
const HEIGHT = 100

const hour = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
export const bucketName = (start: string, range: Statistics['range']): string =>
  (range === '24h' ? hour : day).format(new Date(start))

interface Props {
  statistics: Statistics
  label: string
}

export function OutcomeChart({ statistics: { buckets, range }, label }: Props): ReactNode {
  const w = useWords()
  const max = Math.max(1, ...buckets.map(totalOf))
  const shown = OUTCOMES.filter((outcome) => buckets.some((bucket) => bucket[outcome] > 0))
  return (
    <Figure
      title={w.deliveries.outcomes}
      max={w.deliveries.upTo(max.toLocaleString(locale))}
      first={buckets[0] && bucketName(buckets[0].start, range)}
      empty={shown.length === 0 && w.deliveries.noActivity}
      legend={shown.map((outcome) => [outcome, w.deliveries.statuses[outcome]])}
    >
      <svg
        className={classes['chart']}
        viewBox={`0 0 ${buckets.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {buckets.map((bucket, index) => {
          const counts = shown.filter((outcome) => bucket[outcome] > 0)
          let below = 0
          return (
            <g key={bucket.start} className={classes['bar']}>
              <title>
                {[
                  bucketName(bucket.start, range),
                  ...counts.map((outcome) => `${w.deliveries.statuses[outcome]}: ${bucket[outcome]}`),
                ].join('\n')}
              </title>
              <rect className={classes['column']} x={index * STEP} width={STEP} height={HEIGHT} />
              {counts.map((outcome) => {
                const height = (bucket[outcome] / max) * HEIGHT
                below += height
                return (
                  <rect
                    key={outcome}
                    className={classes[outcome]}
                    x={index * STEP + GAP}
                    width={STEP - 2 * GAP}
                    y={HEIGHT - below}
                    height={height}
                  />
                )
              })}
            </g>
          )
        })}
      </svg>
    </Figure>
  )
}

export function ResponseTimeChart({
  statistics: { buckets, range, total },
}: {
  statistics: Statistics
}): ReactNode {
  const w = useWords()
  const max = Math.max(1, ...buckets.map(({ response_p95_ms }) => response_p95_ms ?? 0))
  const names = PERCENTILES.map((percentile) => [percentile, w.deliveries.percentiles[percentile]] as const)
  const label = names
    .map(([percentile, name]) => `${name} ${w.deliveries.duration(total[`response_${percentile}_ms`] ?? 0)}`)
    .join(', ')
  return (
    <Figure
      title={w.deliveries.latency}
      max={w.deliveries.upTo(w.deliveries.duration(max))}
      first={buckets[0] && bucketName(buckets[0].start, range)}
      empty={total.response_p50_ms === null && w.deliveries.noLatency}
      legend={names}
    >
      <svg
        className={classes['chart']}
        viewBox={`0 0 ${buckets.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${w.deliveries.latency}: ${label}`}
      >
        {PERCENTILES.map((percentile) => (
          <path
            key={percentile}
            className={`${classes['line']} ${classes[percentile]}`}
            d={lineOf(
              buckets.map((bucket) => bucket[`response_${percentile}_ms`]),
              max,
            )}
          />
        ))}
        {buckets.map((bucket, index) => (
          <g key={bucket.start} className={classes['bar']}>
            <title>
              {[
                bucketName(bucket.start, range),
                ...names.map(([percentile, name]) => {
                  const ms = bucket[`response_${percentile}_ms`]
                  return `${name}: ${ms === null ? '–' : w.deliveries.duration(ms)}`
                }),
              ].join('\n')}
            </title>
            <rect className={classes['column']} x={index * STEP} width={STEP} height={HEIGHT} opacity={0.4} />
          </g>
        ))}
      </svg>
    </Figure>
  )
}

/** Interrupted where nothing was sent; a lone value is a short dash. */
function lineOf(values: (number | null)[], max: number): string {
  const parts: string[] = []
  for (const [index, value] of values.entries()) {
    if (value === null) continue
    const [x, y] = [index * STEP + STEP / 2, HEIGHT - (value / max) * (HEIGHT - 4) - 2]
    const isJoined = typeof values[index - 1] === 'number'
    const isAlone = !isJoined && typeof values[index + 1] !== 'number'
    parts.push(isAlone ? `M${x - 2} ${y}H${x + 2}` : `${isJoined ? 'L' : 'M'}${x} ${y}`)
  }
  return parts.join('')
}

interface FigureProps {
  title: string
  /** The value at the top. */
  max: string
  first: string | undefined
  empty: string | false
  legend: readonly (readonly [name: string, label: string])[]
  children: ReactNode
}

function Figure({ title, max, first, empty, legend, children }: FigureProps): ReactNode {
  const w = useWords()
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        {!empty && (
          <Text size="xs" c="dimmed">
            {max}
          </Text>
        )}
      </Group>
      {empty ? (
        <Text size="sm" c="dimmed" py="lg">
          {empty}
        </Text>
      ) : (
        <>
          {children}
          <Group justify="space-between" mt={4} gap="md">
            <Text size="xs" c="dimmed">
              {first}
            </Text>
            <Group gap="sm">
              {legend.map(([name, label]) => (
                <Text key={name} size="xs">
                  <span className={`${classes['swatch']} ${classes[name]}`} aria-hidden />
                  {label}
                </Text>
              ))}
            </Group>
            <Text size="xs" c="dimmed">
              {w.deliveries.now}
            </Text>
          </Group>
        </>
      )}
    </div>
  )
}
