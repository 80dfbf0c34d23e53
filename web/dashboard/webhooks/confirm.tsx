import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'

interface Props {
  help: string
  action: string
  isPending: boolean
  error: Error | null
  onConfirm: () => void
  onCancel: () => void
}

/** Asks before something that cannot be undone. */
export function Confirm({ help, action, isPending, error, onConfirm, onCancel }: Props): ReactNode {
  const w = useWords()
  return (
    <>
      <Text size="sm">{help}</Text>
      {error && <ProblemNote error={error} />}
      <Group mt="lg" justify="end">
        <Button variant="default" onClick={onCancel} data-autofocus>
          {w.common.cancel}
        </Button>
        <Button color="red" loading={isPending} onClick={onConfirm}>
          {action}
        </Button>
      </Group>
    </>
  )
}
