import { Button, Card, Group, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { accountQuery, changeAccount } from '../session/own-account.ts'
import { CopyField } from '../ui/copy-field.tsx'
import { useWords } from '../words/words.tsx'
import { AccountErrorNote } from './account-error-note.tsx'

const TOKEN_BYTES = 32

const newToken = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

export function StaticToken({ isSet }: { isSet: boolean }): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const { mutate, isPending, error, isSuccess, variables } = useMutation({
    mutationFn: (token: string | null) => changeAccount({ token }),
    onSuccess: () => client.invalidateQueries({ queryKey: accountQuery.queryKey }),
  })
  return (
    <Card withBorder component="section" aria-labelledby="token">
      <Title order={2} id="token">
        {w.profile.token}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {w.profile.tokenHelp} {isSet ? w.profile.tokenSet : w.profile.tokenNone}
      </Text>
      {isSuccess && variables && <CopyField label={w.profile.tokenOnce} value={variables} />}
      <AccountErrorNote error={error} />
      <Group justify="end" gap="xs" mt="sm">
        {isSet && (
          <Button variant="subtle" color="red" onClick={() => mutate(null)}>
            {w.profile.removeToken}
          </Button>
        )}
        <Button variant="default" loading={isPending} onClick={() => mutate(newToken())}>
          {isSet ? w.profile.replaceToken : w.profile.newToken}
        </Button>
      </Group>
    </Card>
  )
}
