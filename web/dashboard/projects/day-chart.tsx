import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { duration } from '../usage/format.ts'
import { locale } from '../words/language.ts'
import { useWords } from '../words/words.tsx'
import classes from './figures.module.css'

/** Units of the drawing: a day is ten wide, and the largest value a hundred high. The page stretches it. */
const STEP = 10
const GAP = 1.5
const HEIGHT = 100
/** A day with one conversation stays visible beside one with hundreds. */
const MIN_BAR = 3

const dayName = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })

/** Conversations per day. Screen readers get the total, and each day by its title. */
export function DayChart({ days }: { days: Schemas['ProjectStatistics']['days'] }): ReactNode {
  const { figures } = useWords().project
  const max = Math.max(...days.map(({ conversations }) => conversations))
  const total = days.reduce((sum, { conversations }) => sum + conversations, 0)
  if (total === 0)
    return (
      <Text size="sm" c="dimmed">
        {figures.none}
      </Text>
    )
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="xs" c="dimmed">
          {figures.perDay}
        </Text>
        <Text size="xs" c="dimmed">
          {figures.upTo(max)}
        </Text>
      </Group>
      <svg
        className={classes['chart']}
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={figures.chart(total, days.length)}
      >
        {days.map(({ start, conversations, audio_seconds }, index) => {
          const height = conversations === 0 ? 0 : Math.max(MIN_BAR, (conversations / max) * HEIGHT)
          return (
            <g key={start} className={classes['day']}>
              <title>
                {figures.day(dayName.format(new Date(start)), conversations, duration(audio_seconds))}
              </title>
              <rect className={classes['column']} x={index * STEP} width={STEP} height={HEIGHT} />
              <rect
                className={classes['bar']}
                x={index * STEP + GAP}
                width={STEP - 2 * GAP}
                y={HEIGHT - height}
                height={height}
              />
            </g>
          )
        })}
      </svg>
      <Group justify="space-between" mt={4}>
        <Text size="xs" c="dimmed">
          {days[0] && dayName.format(new Date(days[0].start))}
        </Text>
        <Text size="xs" c="dimmed">
          {figures.now}
        </Text>
      </Group>
    </div>
  )
}
