import { Alert, Button, Card, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Role } from '../session/access.ts'
import { settings } from '../settings.ts'
import { CopyField } from '../ui/copy-field.tsx'
import { onSubmit } from '../ui/form.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'
import { addMember, type Scope } from './queries.ts'

interface Props {
  scope: Scope
  roles: readonly Role[]
  onClose: () => void
}

export function Invite({ scope, roles, onClose }: Props): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const [role, setRole] = useState<Role>('member')
  const { mutate, isPending, error, data, variables, reset } = useMutation({
    mutationFn: (email: string) => addMember(scope, { email, role }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['members', scope.id] }),
        client.invalidateQueries({ queryKey: ['usage', scope.id] }),
      ]),
  })
  const submit = onSubmit((field, form) => mutate(field('email').trim(), { onSuccess: () => form.reset() }))
  const about = scope.kind === 'workspace' ? w.members.inWorkspace : w.members.inOrganisation
  return (
    <Card withBorder component="section" aria-labelledby="invite">
      <Title order={2} id="invite" mb="xs">
        {w.members.inviteTitle}
      </Title>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Group align="start" gap="sm">
            <TextInput
              name="email"
              type="email"
              label={w.members.email}
              required
              maxLength={254}
              flex="1 1 14rem"
              autoFocus
              onChange={reset}
            />
            <NativeSelect
              label={w.members.role}
              value={role}
              onChange={({ currentTarget }) => setRole(currentTarget.value as Role)}
              data={roles.map((value) => ({ value, label: w.members.roles[value] }))}
              flex="0 1 10rem"
            />
          </Group>
          <Text size="sm" c="dimmed">
            {about[role]}
          </Text>
          {error && <ProblemNote error={error} />}
          {data && variables && (
            <Alert color="green" title={w.members.invited(variables)} role="status">
              <Text size="sm" mb="xs">
                {w.members.invitedHelp}
              </Text>
              <CopyField label={w.members.signInAddress} value={settings.public_url} />
            </Alert>
          )}
          <Group justify="end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {data ? w.members.done : w.common.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {w.members.send}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  )
}
