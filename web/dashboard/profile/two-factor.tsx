import { Badge, Button, Card, Group, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { accountQuery, disableSecondFactor, generateSecondFactor } from '../session/own-account.ts'
import { CodeField } from '../ui/code-field.tsx'
import { onSubmit } from '../ui/form.ts'
import { useWords } from '../words/words.tsx'
import { AccountErrorNote } from './account-error-note.tsx'
import { Authenticator } from './authenticator.tsx'

export function TwoFactor({ isOn }: { isOn: boolean }): ReactNode {
  const w = useWords()
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <Card withBorder component="section" aria-labelledby="two-factor">
      <Group justify="space-between" mb="xs">
        <Group gap="sm">
          <Title order={2} id="two-factor">
            {w.profile.twoFactor}
          </Title>
          <Badge variant="light" color={isOn ? 'green' : 'gray'}>
            {isOn ? w.profile.on : w.profile.off}
          </Badge>
        </Group>
        {!isOpen && (
          <Button variant={isOn ? 'default' : 'filled'} onClick={open}>
            {isOn ? w.profile.turnOff : w.profile.setUp}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {isOn ? `${w.profile.onHelp} ${w.profile.lost}` : w.profile.offHelp}
      </Text>
      {isOpen && (isOn ? <TurnOff onClose={close} /> : <SetUp onClose={close} />)}
    </Card>
  )
}

/** The password first: a page that was left open must not be enough. */
function SetUp({ onClose }: { onClose: () => void }): ReactNode {
  const w = useWords()
  const { mutate, isPending, error, data } = useMutation({ mutationFn: generateSecondFactor })
  if (data) return <Authenticator factor={data} onClose={onClose} />
  const submit = onSubmit((field) => mutate(field('password')))
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" mt="md">
        <PasswordInput
          name="password"
          label={w.profile.currentPassword}
          autoComplete="current-password"
          required
          autoFocus
        />
        <AccountErrorNote error={error} />
        <Group justify="end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {w.common.cancel}
          </Button>
          <Button type="submit" loading={isPending}>
            {w.profile.next}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function TurnOff({ onClose }: { onClose: () => void }): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: disableSecondFactor,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: accountQuery.queryKey })
      onClose()
    },
  })
  const submit = onSubmit((field) => mutate(field('otp').trim()))
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" mt="md">
        <CodeField label={w.profile.turnOffCode} help={w.profile.codeHelp} />
        <AccountErrorNote error={error} />
        <Group justify="end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {w.common.cancel}
          </Button>
          <Button type="submit" color="red" loading={isPending}>
            {w.profile.turnOff}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
