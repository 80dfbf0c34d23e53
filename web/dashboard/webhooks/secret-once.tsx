import { Box, Button, Card, Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyField } from '../ui/copy-field.tsx'
import { useWords } from '../words/words.tsx'

interface Props {
  secret: string
  onDone: () => void
  children?: ReactNode
}

/** A secret that the service generated. It is shown once and kept nowhere in the page. */
export function SecretOnce({ secret, onDone, children }: Props): ReactNode {
  const w = useWords()
  return (
    <Card withBorder component="section" aria-labelledby="secret-once" maw={720}>
      <Title order={2} id="secret-once">
        {w.webhooks.secretOnceTitle}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {w.webhooks.secretOnce}
      </Text>
      <CopyField label={w.webhooks.form.secret} value={secret} />
      {children && <Box mt="md">{children}</Box>}
      <Group justify="end" mt="md">
        <Button onClick={onDone}>{w.webhooks.secretStored}</Button>
      </Group>
    </Card>
  )
}
