import { Select, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { isId } from '../ui/is-id.ts'
import { useWords } from '../words/words.tsx'
import { allOrganisationsQuery } from './queries.ts'
import { WithReason } from './with-reason.tsx'

interface Props {
  workspace: Schemas['Workspace']
  onClose: () => void
}

/** The newest organisations are offered; the id of any other can be pasted. */
export function Transfer({ workspace, onClose }: Props): ReactNode {
  const w = useWords()
  const [organisationId, setOrganisationId] = useState<string | null>(null)
  const [typed, setTyped] = useState('')
  const { data } = useInfiniteQuery(allOrganisationsQuery)
  const known = (data?.pages.flatMap((page) => page.data) ?? [])
    .filter(({ id }) => id !== workspace.organisation_id)
    .map(({ id, name }) => ({ value: id, label: name }))
  const pasted = [typed.trim(), organisationId].filter(
    (id): id is string => isId(id) && !known.some(({ value }) => value === id),
  )
  return (
    <WithReason
      title={w.staff.transferOf(workspace.name)}
      isReady={organisationId !== null}
      action={w.staff.apply}
      apply={(reason) =>
        dataOf(
          api.POST('/api/v2/admin/workspaces/{wid}/transfer', {
            params: { path: { wid: workspace.id } },
            body: { organisation_id: organisationId ?? '', reason },
          }),
        )
      }
      onClose={onClose}
    >
      <Text size="sm">{w.staff.transferHelp}</Text>
      <Select
        label={w.staff.organisation}
        description={w.staff.organisationHelp}
        searchable
        value={organisationId}
        onChange={setOrganisationId}
        onSearchChange={setTyped}
        data={[...known, ...[...new Set(pasted)].map((id) => ({ value: id, label: id }))]}
        data-autofocus
      />
    </WithReason>
  )
}
