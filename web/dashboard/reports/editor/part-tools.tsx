import { ActionIcon, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../../words/words.tsx'
import classes from './editor.module.css'

interface Props {
  /** The part that is moved or removed, for screen readers. */
  name: string
  at: number
  count: number
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

/** Moves and removes a part by mouse, finger or keyboard. */
export function PartTools({ name, at, count, onMove, onRemove }: Props): ReactNode {
  const w = useWords()
  const button = { variant: 'subtle', color: 'gray', size: 'lg', className: classes['tool'] ?? '' } as const
  return (
    <Group gap={0} wrap="nowrap">
      <ActionIcon
        {...button}
        disabled={at === 0}
        onClick={() => onMove(-1)}
        aria-label={w.reportEditor.moveUp(name)}
      >
        ↑
      </ActionIcon>
      <ActionIcon
        {...button}
        disabled={at === count - 1}
        onClick={() => onMove(1)}
        aria-label={w.reportEditor.moveDown(name)}
      >
        ↓
      </ActionIcon>
      <ActionIcon {...button} onClick={onRemove} aria-label={w.reportEditor.remove(name)}>
        ×
      </ActionIcon>
    </Group>
  )
}
