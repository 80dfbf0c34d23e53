import { ActionIcon, Badge, Group, Menu, NativeSelect, Table, Text, VisuallyHidden } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Role } from '../session/access.ts'
import { meQuery } from '../session/me.ts'
import { Breakable } from '../ui/breakable.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { Time } from '../ui/time.tsx'
import { useWords } from '../words/words.tsx'
import classes from './members.module.css'
import { changeRole, type Member, type Scope } from './queries.ts'
import { RemoveMember } from './remove-member.tsx'

export interface MemberRights {
  /** Roles that the user can give, and whose holders the user can remove. */
  roles: readonly Role[]
  mayChangeRoles: boolean
}

export function MemberRows(props: { scope: Scope; members: Member[]; rights: MemberRights }): ReactNode {
  const { scope, members, rights } = props
  const w = useWords()
  const { columns } = w.members
  const [leaving, setLeaving] = useState<Member | null>(null)
  return (
    <>
      <Table className={classes['table']} verticalSpacing="xs" horizontalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{columns.member}</Table.Th>
            <Table.Th w={118}>{columns.role}</Table.Th>
            <Table.Th w={165} visibleFrom="sm">
              {columns.since}
            </Table.Th>
            <Table.Th w={44}>
              <VisuallyHidden>{columns.actions}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {members.map((member) => (
            <Row
              key={member.user_id}
              scope={scope}
              member={member}
              rights={rights}
              onRemove={() => setLeaving(member)}
            />
          ))}
        </Table.Tbody>
      </Table>
      {leaving && <RemoveMember scope={scope} member={leaving} onClose={() => setLeaving(null)} />}
    </>
  )
}

interface RowProps {
  scope: Scope
  member: Member
  rights: MemberRights
  onRemove: () => void
}

function Row({ scope, member, rights, onRemove }: RowProps): ReactNode {
  const w = useWords()
  const { data: me } = useQuery(meQuery)
  const isSelf = me?.user.id === member.user_id
  const name = nameOf(member, w.members.nameless)
  const mayRemove = isSelf || rights.roles.includes(member.role)
  return (
    <Table.Tr>
      <Table.Td className={classes['name']}>
        <Group gap={6}>
          <Text inherit fw={550}>
            <bdi>{name}</bdi>
          </Text>
          {isSelf && (
            <Badge size="sm" variant="light" color="gray">
              {w.members.you}
            </Badge>
          )}
        </Group>
        {member.name && member.email && (
          <Text size="sm" c="dimmed">
            <Breakable text={member.email} />
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <RoleChoice scope={scope} member={member} rights={rights} name={name} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Time at={member.created_at} />
      </Table.Td>
      <Table.Td ta="end">
        {mayRemove && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={w.members.actionsOf(name)}>
                ⋯
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item color="red" onClick={onRemove}>
                {isSelf ? w.members.leave : w.members.remove}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

function RoleChoice(props: { scope: Scope; member: Member; rights: MemberRights; name: string }): ReactNode {
  const { scope, member, rights, name } = props
  const w = useWords()
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (role: Role) => changeRole(scope, member.user_id, role),
    // The user's own capabilities can have changed.
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['members', scope.id] }),
        client.invalidateQueries({ queryKey: ['me'] }),
      ]),
  })
  if (!rights.mayChangeRoles || !rights.roles.includes(member.role)) return w.members.roles[member.role]
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label={w.members.roleOf(name)}
        value={change.isPending ? change.variables : member.role}
        disabled={change.isPending}
        onChange={({ currentTarget }) => change.mutate(currentTarget.value as Role)}
        data={rights.roles.map((value) => ({ value, label: w.members.roles[value] }))}
      />
      {change.error && <ProblemNote error={change.error} />}
    </>
  )
}

export const nameOf = ({ name, email }: Pick<Member, 'name' | 'email'>, nameless: string): string =>
  name ?? email ?? nameless
