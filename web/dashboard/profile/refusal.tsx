import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'
import { AccountRefused } from '../session/own-account.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'

/** Why the identity store did not do it, in words. */
export function Refusal({ error }: { error: Error | null }): ReactNode {
  const w = useWords()
  if (!error) return null
  if (!(error instanceof AccountRefused)) return <ProblemNote error={error} />
  return (
    <Alert color="red" role="alert">
      {error.reason === 'invalid'
        ? w.profile.refused.invalid(error.message)
        : w.profile.refused[error.reason]}
    </Alert>
  )
}
