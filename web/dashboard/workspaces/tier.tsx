import { Badge, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.tsx'
import type { TierName } from './tier-names.ts'

const COLORS: Record<TierName, string> = {
  free: 'gray',
  innovator: 'blue',
  changemaker: 'green',
  guardian: 'grape',
}

export function TierBadge({ tier }: { tier: TierName }): ReactNode {
  const w = useWords()
  return (
    <Badge variant="light" color={COLORS[tier]}>
      {w.tiers.names[tier]}
    </Badge>
  )
}

export function TierExplained({ tier }: { tier: TierName }): ReactNode {
  const w = useWords()
  return (
    <div>
      <Text size="sm">
        {w.tiers.title}: <TierBadge tier={tier} />
      </Text>
      <Text size="sm" c="dimmed" mt={4}>
        {w.tiers.about[tier]} {w.tiers.change}
      </Text>
    </div>
  )
}
