import { ActionIcon, Button, Group, Menu, Table, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { SelectFilter } from '../ui/filter-fields.tsx'
import { QuietLink, RowLink } from '../ui/page-link.tsx'
import { Time } from '../ui/time.tsx'
import { useWords } from '../words/words.tsx'
import { TierBadge } from '../workspaces/tier.tsx'
import { TIERS } from '../workspaces/tier-names.ts'
import { ChangeTier } from './change-tier.tsx'
import { readWorkspaceFilters } from './filters.ts'
import { allOrganisationsQuery, allWorkspacesQuery } from './queries.ts'
import classes from './staff.module.css'
import { StaffList } from './staff-list.tsx'
import { StaffPage } from './staff-page.tsx'
import { Transfer } from './transfer.tsx'

type Workspace = Schemas['Workspace']
const FROM = '/staff/workspaces'

export function StaffWorkspaces(): ReactNode {
  const w = useWords()
  const filters = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const set = (changed: Record<string, unknown>) =>
    void navigate({ search: readWorkspaceFilters({ ...filters, ...changed }), replace: true })
  const list = useInfiniteQuery(allWorkspacesQuery(filters))
  const [open, setOpen] = useState<{ what: 'tier' | 'transfer'; workspace: Workspace } | null>(null)
  const close = () => setOpen(null)
  return (
    <StaffPage title={w.staff.workspaces}>
      <Group gap="xs">
        <SelectFilter
          label={w.tiers.title}
          any={w.staff.anyTier}
          value={filters.tier}
          onChange={(tier) => set({ tier })}
          data={TIERS.map((value) => ({ value, label: w.tiers.names[value] }))}
          w={170}
        />
        {filters.organisation_id && (
          <Button variant="default" onClick={() => set({ organisation_id: undefined })}>
            {w.staff.allOrganisations}
          </Button>
        )}
      </Group>
      <StaffList list={list} isFiltered={Object.keys(filters).length > 0}>
        {(all) => <Rows all={all} onOpen={(what, workspace) => setOpen({ what, workspace })} />}
      </StaffList>
      {open?.what === 'tier' && <ChangeTier workspace={open.workspace} onClose={close} />}
      {open?.what === 'transfer' && <Transfer workspace={open.workspace} onClose={close} />}
    </StaffPage>
  )
}

interface RowsProps {
  all: Workspace[]
  onOpen: (what: 'tier' | 'transfer', workspace: Workspace) => void
}

function Rows({ all, onOpen }: RowsProps): ReactNode {
  const w = useWords()
  const { columns } = w.staff
  const { data: organisations } = useInfiniteQuery(allOrganisationsQuery)
  const names = new Map(
    organisations?.pages.flatMap((page) => page.data.map(({ id, name }) => [id, name] as const)),
  )
  return (
    <Table className={classes['table']} verticalSpacing="xs" horizontalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{columns.name}</Table.Th>
          <Table.Th w={130}>{columns.tier}</Table.Th>
          <Table.Th w={165} visibleFrom="sm">
            {columns.created}
          </Table.Th>
          <Table.Th w={44}>
            <VisuallyHidden>{w.staff.actions}</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {all.map((workspace) => (
          <Table.Tr key={workspace.id}>
            <Table.Td className={classes['text']}>
              <div>
                <RowLink to="/workspaces/$wid" params={{ wid: workspace.id }}>
                  <bdi>{workspace.name}</bdi>
                </RowLink>
              </div>
              <QuietLink to="/organisations/$oid" params={{ oid: workspace.organisation_id }}>
                <bdi>{names.get(workspace.organisation_id) ?? columns.organisation}</bdi>
              </QuietLink>
            </Table.Td>
            <Table.Td>
              <TierBadge tier={workspace.tier} />
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <Time at={workspace.created_at} />
            </Table.Td>
            <Table.Td ta="end">
              <Menu position="bottom-end">
                <Menu.Target>
                  <ActionIcon variant="subtle" color="gray" aria-label={w.staff.actionsOf(workspace.name)}>
                    ⋯
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item onClick={() => onOpen('tier', workspace)}>{w.staff.changeTier}</Menu.Item>
                  <Menu.Item onClick={() => onOpen('transfer', workspace)}>{w.staff.transfer}</Menu.Item>
                </Menu.Dropdown>
              </Menu>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
