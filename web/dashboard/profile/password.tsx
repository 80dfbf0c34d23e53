import { Button, Card, Group, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { expireSession } from '../session/expired.ts'
import { changeAccount } from '../session/own-account.ts'
import { onSubmit } from '../ui/form.ts'
import { useWords } from '../words/words.tsx'
import { AccountErrorNote } from './account-error-note.tsx'

const MIN_LENGTH = 8

/** The identity store ends all sessions with the change, so the page asks to sign in again. */
export function Password({ email }: { email: string | null }): ReactNode {
  const w = useWords()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (password: string) => changeAccount({ password }),
    onSuccess: expireSession,
  })
  const submit = onSubmit((field, form) => {
    mutate(field('new-password'))
    form.reset()
  })
  return (
    <Card withBorder component="section" aria-labelledby="password">
      <Title order={2} id="password">
        {w.profile.password}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {w.profile.passwordHelp}
      </Text>
      <form onSubmit={submit}>
        <Stack gap="sm">
          {/* Tells password managers whose password it is. */}
          <input type="hidden" name="username" autoComplete="username" value={email ?? ''} />
          <PasswordInput
            name="new-password"
            label={w.profile.newPassword}
            description={w.profile.newPasswordHelp}
            autoComplete="new-password"
            required
            minLength={MIN_LENGTH}
            maxLength={1024}
          />
          <AccountErrorNote error={error} />
          <Group justify="end">
            <Button type="submit" variant="default" loading={isPending}>
              {w.profile.changePassword}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  )
}
