import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.tsx'
import { TIERS } from '../workspaces/tier-names.ts'
import { duration } from './format.ts'
import { Bar, Meter } from './meter.tsx'
import classes from './usage.module.css'

/** Conversations and hours: they have no limit. */
export function ConversationFigures(props: { conversations: number; audio_seconds: number }): ReactNode {
  const w = useWords()
  return (
    <>
      <Meter label={w.usage.conversations} value={props.conversations} />
      <Meter label={w.usage.audio} value={props.audio_seconds} format={duration} />
    </>
  )
}

/** One bar for each tier. */
export function ByTier({ counts }: { counts: Record<string, number> }): ReactNode {
  const w = useWords()
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {w.usage.byTier}
      </Text>
      {TIERS.map((tier) => (
        <div key={tier} className={classes['tier']}>
          <Meter label={w.tiers.names[tier]} value={counts[tier] ?? 0} />
          <Bar share={total === 0 ? 0 : (counts[tier] ?? 0) / total} />
        </div>
      ))}
    </div>
  )
}
