import { Collapse, Table, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { Role } from '../session/access.ts'
import { useWords } from '../words/words.tsx'
import classes from './members.module.css'
import type { Scope } from './queries.ts'

/** From the most powerful on. Only owners and admins manage members. */
const ROLES = ['owner', 'admin', 'member', 'external', 'observer', 'billing'] as const satisfies Role[]

/** The roles that the caller can give: their own and those below. */
export const rolesBelow = (own: (Role | null)[]): readonly Role[] =>
  own.includes('owner') ? ROLES : ROLES.slice(1)

export function RolesExplained({ kind }: Pick<Scope, 'kind'>): ReactNode {
  const w = useWords()
  const [isOpen, { toggle }] = useDisclosure()
  const about = kind === 'workspace' ? w.members.inWorkspace : w.members.inOrganisation
  return (
    <div>
      <UnstyledButton className={classes['toggle']} onClick={toggle} aria-expanded={isOpen}>
        {w.members.explain}
      </UnstyledButton>
      <Collapse expanded={isOpen}>
        <Table mt="xs" withRowBorders={false} verticalSpacing={4}>
          <Table.Tbody>
            {ROLES.map((role) => (
              <Table.Tr key={role}>
                <Table.Th scope="row" w={96} className={classes['role']}>
                  {w.members.roles[role]}
                </Table.Th>
                <Table.Td>{about[role]}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Collapse>
    </div>
  )
}
