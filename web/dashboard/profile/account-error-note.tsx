import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'
import { AccountError } from '../session/own-account.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'

/** Explains why the identity store rejected a change of the account. */
export function AccountErrorNote({ error }: { error: Error | null }): ReactNode {
  const w = useWords()
  if (!error) return null
  if (!(error instanceof AccountError)) return <ProblemNote error={error} />
  return (
    <Alert color="red" role="alert">
      {error.reason === 'invalid'
        ? w.profile.refused.invalid(error.message)
        : w.profile.refused[error.reason]}
    </Alert>
  )
}
