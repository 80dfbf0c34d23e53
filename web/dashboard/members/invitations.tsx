import { Button, Card, Table, Text, Title, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Role } from '../session/access.ts'
import { MoreButton } from '../ui/more-button.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { Time } from '../ui/time.tsx'
import { useWords } from '../words/words.tsx'
import classes from './members.module.css'
import { invitationsQuery, type Scope, withdrawInvitation } from './queries.ts'

interface Props {
  scope: Scope
  /** Roles whose invitations the user can withdraw. */
  roles: readonly Role[]
  /** Names of workspaces by id, for the invitations of an organisation. */
  workspaces?: ReadonlyMap<string, string>
}

/** Nothing is shown if there are none. */
export function Invitations({ scope, roles, workspaces }: Props): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const invitations = useInfiniteQuery(invitationsQuery(scope))
  const withdraw = useMutation({
    mutationFn: (id: string) => withdrawInvitation(scope, id),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['members', scope.id] }),
        client.invalidateQueries({ queryKey: ['usage', scope.id] }),
      ]),
  })
  const { data, error, refetch } = invitations
  const all = data?.pages.flatMap((page) => page.data) ?? []
  if (error) return <ProblemNote error={error} retry={() => void refetch()} />
  if (all.length === 0) return null
  return (
    <Card withBorder component="section" aria-labelledby="invitations">
      <Title order={2} id="invitations" mb="xs">
        {w.members.invitations}
      </Title>
      {withdraw.error && <ProblemNote error={withdraw.error} />}
      <Table className={classes['table']} verticalSpacing="xs" horizontalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{w.members.email}</Table.Th>
            <Table.Th w={100} visibleFrom="sm">
              {w.members.role}
            </Table.Th>
            <Table.Th w={165} visibleFrom="sm">
              {w.members.expires}
            </Table.Th>
            <Table.Th w={100}>
              <VisuallyHidden>{w.members.columns.actions}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {all.map(({ id, email, role, workspace_id, expires_at }) => (
            <Table.Tr key={id}>
              <Table.Td className={classes['name']}>
                <bdi>{email}</bdi>
                <Text size="sm" c="dimmed" hiddenFrom="sm">
                  {w.members.roles[role]}
                </Text>
                {workspaces && (
                  <Text size="sm" c="dimmed">
                    <bdi>{workspace_id ? workspaces.get(workspace_id) : w.members.toOrganisation}</bdi>
                  </Text>
                )}
              </Table.Td>
              <Table.Td visibleFrom="sm">{w.members.roles[role]}</Table.Td>
              <Table.Td visibleFrom="sm">
                <Time at={expires_at} />
              </Table.Td>
              <Table.Td ta="end">
                {roles.includes(role) && (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    color="red"
                    aria-label={w.members.withdrawOf(email)}
                    loading={withdraw.isPending && withdraw.variables === id}
                    onClick={() => withdraw.mutate(id)}
                  >
                    {w.members.withdraw}
                  </Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <MoreButton list={invitations} />
    </Card>
  )
}
