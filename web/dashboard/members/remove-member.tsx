import { Button, Group, Modal, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { meQuery } from '../session/me.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'
import { type Member, removeMember, type Scope } from './queries.ts'

interface Props {
  scope: Scope
  member: Member
  onClose: () => void
}

export function RemoveMember({ scope, member, onClose }: Props): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data: me } = useQuery(meQuery)
  const isSelf = me?.user.id === member.user_id
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => removeMember(scope, member.user_id),
    onSuccess: async () => {
      onClose()
      if (isSelf) await navigate({ to: '/' })
      await Promise.all([
        client.invalidateQueries({ queryKey: ['members', scope.id] }),
        client.invalidateQueries({ queryKey: ['usage', scope.id] }),
        client.invalidateQueries({ queryKey: ['me'] }),
      ])
    },
  })
  const name = member.name ?? member.email ?? w.members.nameless
  return (
    <Modal
      opened
      onClose={onClose}
      title={isSelf ? w.members.leaveTitle(scope.name) : w.members.removeTitle(name, scope.name)}
    >
      <Text size="sm">{isSelf ? w.members.leaveHelp : w.members.removeHelp}</Text>
      {error && <ProblemNote error={error} />}
      <Group mt="lg" justify="end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {w.common.cancel}
        </Button>
        <Button color="red" loading={isPending} onClick={() => mutate()}>
          {isSelf ? w.members.leave : w.members.remove}
        </Button>
      </Group>
    </Modal>
  )
}
