import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { locale } from '../words/language.ts'
import { useWords } from '../words/words.tsx'
import classes from './usage.module.css'

const WIDTH = 100
const NEAR = 0.9

interface Props {
  label: string
  value: number
  max?: number
  format?: (value: number) => string
  /** Beside the label. */
  note?: string
}

const whole = (value: number): string => value.toLocaleString(locale)

/** A number, with a bar if there is a limit. */
export function Meter({ label, value, max, format = whole, note }: Props): ReactNode {
  const w = useWords()
  const isNear = max !== undefined && value >= max * NEAR
  return (
    <div>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="baseline">
        <Text size="sm" c="dimmed">
          {label}
          {note && ` · ${note}`}
        </Text>
        <Text size="sm" fw={600} className={classes['number']}>
          {max === undefined ? format(value) : w.usage.of(format(value), format(max))}
        </Text>
      </Group>
      {max !== undefined && <Bar share={max === 0 ? 0 : value / max} isNear={isNear} />}
      {isNear && (
        <Text size="xs" c="orange">
          {w.usage.nearLimit}
        </Text>
      )}
    </div>
  )
}

export function Bar({ share, isNear = false }: { share: number; isNear?: boolean }): ReactNode {
  // At least one unit, so that something is not drawn as nothing.
  const width = share > 0 ? Math.max(1, Math.min(1, share) * WIDTH) : 0
  return (
    <svg viewBox={`0 0 ${WIDTH} 6`} preserveAspectRatio="none" className={classes['bar']} aria-hidden="true">
      <rect width={WIDTH} height="6" className={classes['track']} />
      <rect width={width} height="6" className={classes[isNear ? 'near' : 'value']} />
    </svg>
  )
}
