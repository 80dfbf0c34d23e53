import { Table, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { RowLink, SmallLink } from '../ui/page-link.tsx'
import { Time } from '../ui/time.tsx'
import { useWords } from '../words/words.tsx'
import { allOrganisationsQuery } from './queries.ts'
import classes from './staff.module.css'
import { StaffList } from './staff-list.tsx'
import { StaffPage } from './staff-page.tsx'

export function StaffOrganisations(): ReactNode {
  const w = useWords()
  const { columns } = w.staff
  return (
    <StaffPage title={w.staff.organisations}>
      <StaffList list={useInfiniteQuery(allOrganisationsQuery)}>
        {(all) => (
          <Table className={classes['table']} verticalSpacing="xs" horizontalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{columns.name}</Table.Th>
                <Table.Th w={165} visibleFrom="sm">
                  {columns.created}
                </Table.Th>
                <Table.Th w={120}>
                  <VisuallyHidden>{w.staff.showWorkspaces}</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {all.map(({ id, name, created_at }) => (
                <Table.Tr key={id}>
                  <Table.Td className={classes['text']}>
                    <RowLink to="/organisations/$oid" params={{ oid: id }}>
                      <bdi>{name}</bdi>
                    </RowLink>
                  </Table.Td>
                  <Table.Td visibleFrom="sm">
                    <Time at={created_at} />
                  </Table.Td>
                  <Table.Td ta="end">
                    <SmallLink to="/staff/workspaces" search={{ organisation_id: id }}>
                      {w.staff.showWorkspaces}
                    </SmallLink>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </StaffList>
    </StaffPage>
  )
}
