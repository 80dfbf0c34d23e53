import { Button, Card, Group, Text, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useWords } from '../words/words.tsx'
import { ProblemNote } from './problem-note.tsx'

interface Props {
  title: string
  name: string
  /** Rejects if someone else has changed the record since it was read. */
  save: (name: string) => Promise<unknown>
}

export function Rename({ title, name, save }: Props): ReactNode {
  const w = useWords()
  const [typed, setTyped] = useState(name)
  const { mutate, isPending, isSuccess, error } = useMutation({ mutationFn: () => save(typed.trim()) })
  return (
    <Card withBorder component="section" aria-labelledby="rename">
      <Title order={2} id="rename" mb="xs">
        {title}
      </Title>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        <Group align="end" gap="sm">
          <TextInput
            aria-label={title}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            required
            maxLength={200}
            flex="1 1 14rem"
            maw={420}
          />
          <Button type="submit" loading={isPending} disabled={typed.trim() === name || typed.trim() === ''}>
            {w.common.save}
          </Button>
          {isSuccess && typed.trim() === name && (
            <Text size="sm" c="dimmed" role="status">
              {w.workspace.saved}
            </Text>
          )}
        </Group>
        {error && <ProblemNote error={error} />}
      </form>
    </Card>
  )
}
