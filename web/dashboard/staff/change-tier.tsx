import { NativeSelect, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { useWords } from '../words/words.tsx'
import { TIERS, type TierName } from '../workspaces/tier-names.ts'
import { WithReason } from './with-reason.tsx'

interface Props {
  workspace: Schemas['Workspace']
  onClose: () => void
}

export function ChangeTier({ workspace, onClose }: Props): ReactNode {
  const w = useWords()
  const [tier, setTier] = useState<TierName>(workspace.tier)
  return (
    <WithReason
      title={w.staff.changeTierOf(workspace.name)}
      isReady={tier !== workspace.tier}
      action={w.staff.apply}
      apply={(reason) =>
        dataOf(
          api.PUT('/api/v2/admin/workspaces/{wid}/tier', {
            params: { path: { wid: workspace.id } },
            body: { tier, reason },
          }),
        )
      }
      onClose={onClose}
    >
      <NativeSelect
        label={w.tiers.title}
        value={tier}
        onChange={({ currentTarget }) => setTier(currentTarget.value as TierName)}
        data={TIERS.map((value) => ({ value, label: w.tiers.names[value] }))}
        data-autofocus
      />
      <Text size="sm" c="dimmed">
        {w.tiers.about[tier]}
      </Text>
    </WithReason>
  )
}
