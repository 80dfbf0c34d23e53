import { Alert, Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiProblem, Unreachable } from '../api/problem.ts'
import { useWords } from '../words/words.tsx'

/** An error in words, with the id of the request for the operator, and a way to try again. */
export function ProblemNote({ error, retry }: { error: unknown; retry?: () => void }): ReactNode {
  const w = useWords()
  return (
    <Alert color="red" variant="light" title={w.problems.title} role="alert">
      <Text size="sm">{textOf(error, w.problems)}</Text>
      <Group mt="xs" justify="space-between">
        {retry && (
          <Button size="xs" variant="light" color="red" onClick={retry}>
            {w.common.retry}
          </Button>
        )}
        {error instanceof ApiProblem && error.requestId && (
          <Text size="xs" c="dimmed">
            {w.problems.requestId(error.requestId)}
          </Text>
        )}
      </Group>
    </Alert>
  )
}

function textOf(
  error: unknown,
  words: { unreachable: string; unexpected: string; changedByOthers: string },
): string {
  if (error instanceof Unreachable) return words.unreachable
  if (!(error instanceof ApiProblem)) return words.unexpected
  if (error.status === 412) return words.changedByOthers
  return error.fields[0] ? `${error.fields[0].path}: ${error.fields[0].message}` : error.message
}
