import { Button, Card, Skeleton, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { RouteProblem } from '../shell/route-problem.tsx'
import { MoreButton } from '../ui/more-button.tsx'
import { Page } from '../ui/page.tsx'
import { useWords } from '../words/words.tsx'
import { Invitations } from './invitations.tsx'
import { Invite } from './invite.tsx'
import { type MemberRights, MemberRows } from './member-rows.tsx'
import { invitationsQuery, membersQuery, type Scope } from './queries.ts'
import { RolesExplained } from './roles.tsx'

interface Props {
  scope: Scope
  above: ReactNode
  rights: MemberRights
  workspaces?: ReadonlyMap<string, string>
}

/** The members of an organisation or workspace, for users who manage them. */
export function Members({ scope, above, rights, workspaces }: Props): ReactNode {
  const w = useWords()
  const [isInviting, { open, close }] = useDisclosure()
  const members = useInfiniteQuery(membersQuery(scope))
  const { data, error, refetch } = members
  // All of the page at once: what stands below the invitations would move.
  const isPending = useInfiniteQuery(invitationsQuery(scope)).isPending
  const all = data?.pages.flatMap((page) => page.data)
  if (error && !data) return <RouteProblem error={error} reset={() => void refetch()} />
  return (
    <Page
      title={w.members.title}
      above={above}
      actions={!isInviting && <Button onClick={open}>{w.members.invite}</Button>}
    >
      {isInviting && <Invite scope={scope} roles={rights.roles} onClose={close} />}
      <Card withBorder>
        {all && !isPending ? (
          <MemberRows scope={scope} members={all} rights={rights} />
        ) : (
          <Skeleton height={160} />
        )}
        <MoreButton list={members} />
      </Card>
      {!isPending && all && (
        <Invitations scope={scope} roles={rights.roles} {...(workspaces && { workspaces })} />
      )}
      {!isPending && all && (
        <Stack gap="xs">
          {scope.kind === 'organisation' && (
            <Text size="sm" c="dimmed">
              {w.members.organisationNote}
            </Text>
          )}
          <RolesExplained kind={scope.kind} />
        </Stack>
      )}
    </Page>
  )
}
