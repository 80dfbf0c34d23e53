import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { accountQuery, enableSecondFactor, type NewSecondFactor } from '../session/own-account.ts'
import { CodeField } from '../ui/code-field.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { onSubmit } from '../ui/form.ts'
import { useWords } from '../words/words.tsx'
import { AccountErrorNote } from './account-error-note.tsx'
import { QrCode } from './authenticator-qr-code.tsx'

/** Shows the secret, and turns the second factor on when a code proves that the app has it. */
export function Authenticator(props: { factor: NewSecondFactor; onClose: () => void }): ReactNode {
  const { factor, onClose } = props
  const w = useWords()
  const client = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (otp: string) => enableSecondFactor(factor.secret, otp),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: accountQuery.queryKey })
      onClose()
    },
  })
  const submit = onSubmit((field) => mutate(field('otp').trim()))
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" mt="md">
        <Text size="sm">{w.profile.scan}</Text>
        <QrCode text={factor.otpauth_url} label={w.profile.qr} />
        <Anchor href={factor.otpauth_url} size="sm">
          {w.profile.onThisDevice}
        </Anchor>
        <CopyField label={w.profile.secret} value={factor.secret} />
        <CodeField label={w.profile.code} help={w.profile.codeHelp} />
        <AccountErrorNote error={error} />
        <Group justify="end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {w.common.cancel}
          </Button>
          <Button type="submit" loading={isPending}>
            {w.profile.turnOn}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
