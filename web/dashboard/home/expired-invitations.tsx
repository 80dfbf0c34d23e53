import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { addMember, withdrawInvitation } from '../members/queries.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { TimeIn } from '../ui/time.tsx'
import { useWords } from '../words/words.tsx'
import classes from './home.module.css'

type Invitation = Schemas['Activity']['attention']['invitations'][number]

/** One that expired is sent again, or forgotten. */
export function ExpiredInvitation({ invitation }: { invitation: Invitation }): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const { id, organisation_id, workspace_id, scope_name, email, role, expired_at } = invitation
  const scope = workspace_id
    ? { kind: 'workspace' as const, id: workspace_id }
    : { kind: 'organisation' as const, id: organisation_id }
  const answer = useMutation({
    mutationFn: (isAgain: boolean): Promise<unknown> =>
      isAgain ? addMember(scope, { email, role }) : withdrawInvitation(scope, id),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['me', 'activity'] }),
        client.invalidateQueries({ queryKey: ['members', scope.id] }),
      ]),
  })
  return (
    <li>
      <Group justify="space-between" gap="xs">
        <div className={classes['what']}>
          <Text size="sm" fw={550}>
            <TimeIn text={(time) => w.activity.invitationExpired(email, time)} at={expired_at} />
          </Text>
          <Text size="xs" c="dimmed">
            <bdi>{scope_name}</bdi> · {w.members.roles[role]}
          </Text>
        </div>
        <Group gap="xs">
          <Button size="compact-sm" variant="default" onClick={() => answer.mutate(true)}>
            {w.activity.inviteAgain}
          </Button>
          <Button size="compact-sm" variant="subtle" color="gray" onClick={() => answer.mutate(false)}>
            {w.activity.forget}
          </Button>
        </Group>
      </Group>
      {answer.error && <ProblemNote error={answer.error} />}
    </li>
  )
}
